// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "task/model/taskgroup.h"

// Spawn and sync (include/bobbin/spawn.h). A scope is a taskgroup that the tasks spawned in it
// belong to and the task that spawns does not: so there is one only once a task is deferred, and
// what is called at once, as part of the current task, has nothing to do with it.
namespace bobbin {

// `data` of `size` bytes is copied if the task is deferred.
void spawn(Thread& thread, Taskgroup*& scope, void (*function)(void*), void* data, size_t size);

void sync(Thread& thread, Taskgroup*& scope);

}  // namespace bobbin
