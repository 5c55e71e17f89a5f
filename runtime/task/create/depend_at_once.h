// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/task_spec.h"
#include "team/thread.h"

namespace bobbin {

// Shall a task with dependences, which nothing keeps from running now, run at once on the
// encountering thread? It then needs no place in the order: it has completed before the next one is
// made. Two reasons to do so:
//   - It is short, and this thread has so many tasks ready for others that one more would not help
//     them. In a long one its thread would be away while they come to an end of those.
//   - It is brief (task/tuning/duration.h): to hand it over would cost this thread more than to run
//   it.
// Looking ahead is what dependences are for, so a task that has to wait does not hold back those
// after it. One exception, without which tiny tasks that once were deferred would draw all later
// ones after them: while brief tasks that wait for nothing but brief tasks are completed one after
// the other, it pays to see the last of them off.
bool runs_at_once(Thread& thread, const TaskSpec& spec);

}  // namespace bobbin
