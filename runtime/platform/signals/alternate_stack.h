// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/syscall.h>

#include "platform/raw_syscall.h"

namespace bobbin {

// sigaltstack() for the runtime's own use: about the kernel thread, whichever thread it carries.
// (A thread of the program that calls sigaltstack() keeps a kernel thread:
// sched/kernel_threads/kept.h.)
inline bool exchange_alternate_stack(const stack_t* wanted, stack_t* before) {
  return raw_syscall(SYS_sigaltstack, reinterpret_cast<long>(wanted),
                     reinterpret_cast<long>(before), 0) == 0;
}

}  // namespace bobbin
