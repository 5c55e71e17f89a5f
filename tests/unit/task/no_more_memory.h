// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstddef>

namespace bobbin::test {

// While an object of this class exists, the process gets no more memory, except what its allocator
// has available.
class NoMoreMemory {
 public:
  // Not with sanitizers, which need memory themselves, nor under QEMU, which enforces no such
  // limit.
  static bool possible() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#else
    constexpr size_t kBytes = 1 << 20;
    const NoMoreMemory scope;
    void* more = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED) return true;
    munmap(more, kBytes);
    return false;
#endif
  }

  NoMoreMemory() {
    getrlimit(RLIMIT_AS, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_AS, &none);
  }
  NoMoreMemory(const NoMoreMemory&) = delete;
  NoMoreMemory& operator=(const NoMoreMemory&) = delete;
  ~NoMoreMemory() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_;
};

}  // namespace bobbin::test
