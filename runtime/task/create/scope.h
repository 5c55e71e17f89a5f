// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/taskgroup.h"

namespace bobbin {

// The taskgroup of a scope of spawn and sync (task/create/spawn.h), made for the first task in it
// that is deferred. It has no outer group: a taskgroup region around the scope may end before the
// scope is synced, and its record may serve another one. Its policy and cancellation do not apply
// to spawned tasks.
inline Taskgroup& group_of_scope(Thread& thread, Taskgroup*& scope) {
  if (scope == nullptr) {
    scope = &open_group(thread);
    scope->internal = true;
    scope->previous = nullptr;
  }
  return *scope;
}

}  // namespace bobbin
