// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace bobbin::insight {

// The memory of a process that runs. What is read may change meanwhile, or be gone, so nothing that
// follows from it may be taken for granted: a pointer may lead nowhere, a list in a circle.
class Memory {
 public:
  explicit Memory(int process) : process_(process) {}

  // Returns how many bytes could be read, from the begin on.
  size_t read(uint64_t at, void* to, size_t bytes) const;

  // 0: it could not be read.
  template <class Number>
  Number number(uint64_t at) const {
    Number value = 0;
    return read(at, &value, sizeof value) == sizeof value ? value : 0;
  }
  uint8_t byte(uint64_t at) const { return number<uint8_t>(at); }
  uint32_t u32(uint64_t at) const { return number<uint32_t>(at); }
  uint64_t u64(uint64_t at) const { return number<uint64_t>(at); }

 private:
  int process_;
};

}  // namespace bobbin::insight
