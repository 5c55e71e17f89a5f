// SPDX-License-Identifier: Apache-2.0
#include "fiber/context/rseq.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace bobbin {
namespace {

// The part of struct rseq that all versions have. Not all headers declare it.
struct alignas(32) Area {
  uint32_t cpu_id_start;
  uint32_t cpu_id;
  uint64_t sequence;
  uint32_t flags;
};
static_assert(sizeof(Area) == 32);
constexpr auto kUninitialized = static_cast<uint32_t>(-1);  // RSEQ_CPU_ID_UNINITIALIZED

ptrdiff_t offset;  // from the thread pointer to the C library's area; 0: none
bool registered;   // by the C library

}  // namespace

void init_rseq() {
  if (auto* there = static_cast<const ptrdiff_t*>(dlsym(RTLD_DEFAULT, "__rseq_offset"))) {
    offset = *there;
  }
  const auto* size = static_cast<const unsigned*>(dlsym(RTLD_DEFAULT, "__rseq_size"));
  registered = size != nullptr && *size != 0;
}

void mark_rseq_unregistered(ThreadPointer block) {
  if (offset == 0) return;
  // With this value sched_getcpu asks the kernel.
  auto* area = reinterpret_cast<Area*>(static_cast<char*>(block) + offset);
  area->cpu_id_start = 0;
  area->cpu_id = kUninitialized;
}

bool has_rseq_of_others() {
#ifdef SYS_rseq
  if (registered) return false;
  constexpr int kUnregister = 1;
  constexpr uint32_t kSignature = 0;
  Area area{0, kUninitialized, 0, 0};
  if (syscall(SYS_rseq, &area, sizeof area, 0, kSignature) == 0) {
    syscall(SYS_rseq, &area, sizeof area, kUnregister, kSignature);
    return false;
  }
  return errno == EINVAL;  // another area is registered; ENOSYS: the kernel has no rseq
#else
  return false;
#endif
}

}  // namespace bobbin
