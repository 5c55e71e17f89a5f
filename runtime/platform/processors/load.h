// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace bobbin {

// How many kernel threads of the machine run or wait for a processor, the caller included; 0 when
// the kernel does not tell. Costs 3 to 15 us. Tests pass a file of their own.
unsigned runnable_kernel_threads(const char* file = "/proc/loadavg");

// Does this kernel thread of the process sleep in the kernel? Costs some microseconds.
bool kernel_thread_sleeps(pid_t id);

// The number of the machine's processors, also of those that this process may not use.
unsigned machine_processors();

}  // namespace bobbin
