// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/taskgroup.h"

namespace bobbin {

// The group of a scope of spawn and sync (task/create/spawn.h), made for the first task in it that
// is deferred. A taskgroup region around it, whose policy and cancellation do not concern what is
// spawned, may end, and its record serve another, before the scope is synced.
inline Taskgroup& group_of_scope(Thread& thread, Taskgroup*& scope) {
  if (scope == nullptr) {
    scope = &open_group(thread);
    scope->internal = true;
    scope->previous = nullptr;
  }
  return *scope;
}

}  // namespace bobbin
