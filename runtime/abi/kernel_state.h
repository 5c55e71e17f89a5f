// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/carriers/kept_threads.h"

// Which system calls take hold of what the kernel keeps for a kernel thread
// (sched/kernel_threads/kept.h).
namespace bobbin {

struct Taken {
  bool any = false;
  Hold hold = Hold::Stay;
};

Taken taken_by_prctl(long option);

// `thread`: the number of the caller's kernel thread, by which calls may also name it.
Taken taken_by_syscall(long number, const long (&arguments)[6], long thread);

// Could the system call be one of those? Decided without anything else.
bool may_take(long number);

// The argument that names a kernel thread, or -1.
int naming_argument(long number);

}  // namespace bobbin
