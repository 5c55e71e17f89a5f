// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/event.h"
#include "task/model/task_spec.h"
#include "team/model/thread.h"

namespace bobbin {

// Makes a deferred task as the construct describes it. nullptr: no memory.
Task* make_child(Thread& thread, const TaskSpec& spec);

// Stores the handle of the event where a detach clause says.
inline void give_handle(const TaskSpec& spec, Event& event) {
  *spec.event_handle = &event;
  // The handle is firstprivate in the task. The compiler puts it first.
  if (spec.data != nullptr) *static_cast<void**>(spec.data) = &event;
}

}  // namespace bobbin
