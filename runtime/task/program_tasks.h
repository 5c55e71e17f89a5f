// SPDX-License-Identifier: Apache-2.0
// Tasks that a scheduler of the program's has (task/user_scheduler.h), for threads that look for
// one.
#pragma once

#include "task/sleep.h"
#include "team/team.h"

namespace bobbin {

// Asks the team's schedulers for a task and executes it. False: they gave none.
bool run_programs_task(Thread& thread, Sleep sleep);

// Has the program tasks that the group of the thread's task may wait for?
bool program_holds_tasks(const Thread& thread);

// What a thread of a group's task does where it waits and its scheduler keeps tasks back.
class PatienceWithScheduler {
 public:
  // True: it has let some time pass, and the thread shall ask again. Ends the program if tasks are
  // lost.
  bool wait(Thread& thread);

 private:
  uint64_t changes_ = 0;
  uint64_t since_ = 0;  // when it became certain that nothing runs; 0: something may
};

}  // namespace bobbin
