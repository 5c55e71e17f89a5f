// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "team/model/thread.h"

namespace bobbin {

// For a task construct without dependences, priority, event or final clause: defers the task if
// surely_deferred() says so. False: nothing has been done, and create_task() decides. `copy`
// constructs the task's data from `data`; nullptr: byte by byte.
//
// A lone producer makes every task of the program in this way, so this does only what such a task
// needs.
bool defer_plain(Thread& thread, void (*function)(void*), void* data, void (*copy)(void*, void*),
                 size_t size, size_t alignment, bool tied);

}  // namespace bobbin
