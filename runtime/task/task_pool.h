// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "sched/worker.h"

namespace bobbin {

// Memory of deferred tasks: descriptor, extras and data in one block. Every worker has a pool and
// takes blocks from it without any synchronisation. A block that another worker frees goes back to
// its maker, over an inbox that the maker empties when he has no free blocks left: so a worker that
// makes tasks for others to execute runs in constant memory, and no lock is shared. A block stays
// of its size for ever, and is never given back to the system: descriptors in it are type-stable.

inline constexpr size_t kLargestTaskBlock = 2048;

// `bytes` at most kLargestTaskBlock; cache-line aligned; nullptr: out of memory.
void* take_task_block(Worker& worker, size_t bytes);

// By any worker.
void give_task_block(Worker& worker, void* block);

}  // namespace bobbin
