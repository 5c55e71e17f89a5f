// SPDX-License-Identifier: Apache-2.0
#include "task/detach.h"

#include "task/extras.h"
#include "task/schedule.h"
#include "team/thread.h"

namespace bobbin {

void fulfill_event(Event& event) {
  Task& task = *event.task;
  // Before the exchange: after it the task may be gone.
  Team& team = *task.extras->team;
  if (event.second(Event::Mark::Fulfilled)) complete(self(), task, team);
}

}  // namespace bobbin
