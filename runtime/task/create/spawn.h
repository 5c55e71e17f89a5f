// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "task/model/taskgroup.h"

// Spawn and sync (include/bobbin/spawn.h). A scope is a taskgroup of the tasks that are spawned in
// it. The spawning task does not belong to it. So the taskgroup is made only for the first task
// that is deferred. A function that is called at once is part of the current task and needs no
// scope.
namespace bobbin {

// `data` of `size` bytes is copied if the task is deferred.
void spawn(Thread& thread, Taskgroup*& scope, void (*function)(void*), void* data, size_t size);

void sync(Thread& thread, Taskgroup*& scope);

}  // namespace bobbin
