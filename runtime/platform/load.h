// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

namespace bobbin {

// How many kernel threads of the machine run or wait for a processor, the caller among them; 0 when
// the kernel does not tell. Costs 3 to 15 us. Tests point it at a file of their own.
unsigned runnable_kernel_threads(const char* file = "/proc/loadavg");

// Does a kernel thread of this process wait for something in the kernel? Costs some microseconds.
bool kernel_thread_sleeps(pid_t id);

// The machine's, whichever of them this process may use.
unsigned machine_processors();

}  // namespace bobbin
