// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace bobbin {

// The system call in which a kernel thread is blocked.
struct BlockedCall {
  static constexpr unsigned kArguments = 6;

  int number;
  uint64_t arguments[kArguments];
  uint64_t sp;
  uint64_t pc;
  uint64_t waits;  // how often the kernel thread has blocked so far: see waits_of_caller()
};

// Reads /proc/self/task/ID/syscall. False: the thread of this process does not block in a system
// call, or that file cannot be read. Async-signal-safe, and keeps errno.
bool read_blocked_call(pid_t kernel_thread, BlockedCall& call);

// The same number for the calling kernel thread. If it has not changed, the thread has not blocked
// anew since the call was read.
uint64_t waits_of_caller();

}  // namespace bobbin
