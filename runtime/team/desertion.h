// SPDX-License-Identifier: Apache-2.0
// fork() within regions: of all threads the child has the one that forked, and nothing else of the
// program goes on there.
//
// A fiber that waits has its stack and registers in memory, so the child has it too, and a thread
// that has not begun could begin there. But both are executed by the parent: what they do to files
// and to other processes would be done twice. And those that ran on other kernel threads at that
// moment cannot go on. So all are forgotten: nobody begins, adopts or resumes them.
#pragma once

#include "team/team.h"

namespace bobbin {

// visit(Team&), the innermost first, down to the initial team.
template <class Visit>
void each_team_around(const Thread& thread, Visit&& visit) {
  for (Member* member = thread.member; member != nullptr; member = member->team->encountering) {
    visit(*member->team);
  }
}

void init_desertion();

}  // namespace bobbin
