// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace bobbin::insight {

struct Registers {
  uint64_t pc = 0;
  uint64_t sp = 0;
  uint64_t tls = 0;  // 0: not known
};

// Of a kernel thread. One that is in a system call goes on undisturbed, because some calls would
// fail with EINTR; one that runs is stopped for some ten microseconds. Nothing: it has ended, or
// may not be looked at.
std::optional<Registers> registers_of(int process, int thread);

}  // namespace bobbin::insight
