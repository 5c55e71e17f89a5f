// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// How many kernel threads of the machine run or wait for a processor, the caller among them; 0 when
// the kernel does not tell. Costs 3 to 15 us. Tests point it at a file of their own.
unsigned runnable_kernel_threads(const char* file = "/proc/loadavg");

// The machine's, whichever of them this process may use.
unsigned machine_processors();

}  // namespace bobbin
