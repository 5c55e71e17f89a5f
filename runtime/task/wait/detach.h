// SPDX-License-Identifier: Apache-2.0
// Detachable tasks, and events that are added to tasks (section 12.5.2; ALPI).
#pragma once

#include "task/model/event.h"

namespace bobbin {

void fulfill_event(Event& event);

// The current task, which is a deferred one, does not complete until so many events more have been
// fulfilled.
enum class EventsAdded : uint8_t { Yes, HasDetachClause, NoMemory };
EventsAdded add_events(Thread& thread, uint32_t count);
// Called by any kernel thread. False: the task does not have as many, and nothing has happened.
bool fulfill_events(Task& task, uint32_t count);
// False: none is left. Asked by the task itself.
bool has_events(const Task& task);

// The event of all tasks that are never made because their region had been cancelled. The program
// may fulfil it, without any effect.
extern Event nobodys_event;

// For an undeferred task whose block has ended.
void await_event(Thread& thread, Event& event);

}  // namespace bobbin
