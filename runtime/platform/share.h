// SPDX-License-Identifier: Apache-2.0
// How much the runtime may take of what the system lets the process have. Where threads are many,
// the program must still find memory and be able to start others: of what it has not used itself a
// quarter is left to it.
#pragma once

#include <cstddef>

namespace bobbin {

// May a stack of so many bytes be mapped, where there are so many already? False: the address space
// (RLIMIT_AS) or the mappings (vm.max_map_count) would become too few. Costs a system call, where
// there is a limit a few microseconds.
bool room_for_stack(std::size_t bytes, std::size_t stacks);

// So many kernel threads may be the runtime's, by RLIMIT_NPROC and pids.max of the cgroup that a
// container sees; where the limit is below 64, all of them. At least 1. Asked of the system once.
unsigned most_kernel_threads();

}  // namespace bobbin
