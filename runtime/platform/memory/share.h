// SPDX-License-Identifier: Apache-2.0
// How much the runtime may take of the resources that the system gives the process. Where threads
// are many, the program must still find memory and be able to start other threads. A quarter of the
// resources that it has not used itself is left to it.
#pragma once

#include <cstddef>

namespace bobbin {

// May one more stack of `bytes` be mapped, where there are already `stacks`? False: too little
// address space (RLIMIT_AS) or too few mappings (vm.max_map_count) would be left. Costs a system
// call; a few microseconds where there is a limit.
bool room_for_stack(std::size_t bytes, std::size_t stacks);

// The most kernel threads that the runtime may have, by RLIMIT_NPROC and by pids.max of the cgroup
// that a container sees. Where the limit is below 64, the runtime may have all of them. At least 1.
// The system is asked once.
unsigned most_kernel_threads();

}  // namespace bobbin
