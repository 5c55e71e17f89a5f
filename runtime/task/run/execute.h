// SPDX-License-Identifier: Apache-2.0
// Executes deferred tasks, and makes those ready that waited for them.
#pragma once

#include "team/model/team.h"

namespace bobbin {

class Completions;
class ReadyTasks;

// Executes a deferred task on this thread and completes it.
void execute(Thread& thread, Task& task);

// Puts a deferred task whose predecessors have completed where the team's threads find it. The
// calling thread need not be of that team. If there is no memory, it begins the task at once.
void make_ready(Thread& thread, Task& task);
// The same for a task that the thread may begin; it goes into the thread's own queue.
void queue_or_begin(Thread& thread, Task& task);

// The same for all of them except the last, which is returned.
Task* make_ready_but_last(Thread& thread, const ReadyTasks& tasks);

// The structured block of the deferred task has ended: completes the task, unless it waits for its
// event. Returns a successor that this thread may go on with, or nullptr.
Task* end_block(Thread& thread, Task& task, Completions& completions);

// For a task that was taken from a queue: executes it, unless others exclude it (mutexinoutset).
void begin_task(Thread& thread, Task& task);
// The same, for one of several tasks. False: it was excluded.
bool begin_task(Thread& thread, Task& task, Completions& completions);

}  // namespace bobbin
