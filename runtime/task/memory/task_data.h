// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "sched/workers/worker.h"

// Memory for data that are too large to lie behind their task's descriptor, from the pool of a
// worker (task/memory/data_pool.h).
namespace bobbin {

// Returns at least so many bytes, aligned; nullptr: out of memory.
void* take_data(Worker& worker, size_t bytes, size_t alignment);

// Called by any worker.
void give_data(Worker& worker, void* data);

// give_back_idle_data(worker), declared in sched/workers/worker.h, gives the worker's idle blocks
// to the C library.

}  // namespace bobbin
