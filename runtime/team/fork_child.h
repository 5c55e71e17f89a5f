// SPDX-License-Identifier: Apache-2.0
// fork() within regions: of all threads the child has the one that forked, and nothing else of the
// program goes on there.
//
// A fiber that waits has its stack and registers in memory, so the child has it too, and a thread
// that has not begun could begin there. But both are executed by the parent: what they do to files
// and to other processes would be done twice. And those that ran on other kernel threads at that
// moment cannot go on. So all are forgotten: nobody begins, adopts or resumes them.
//
// A region is as good as ever in the child if nobody else was inside it: a team of one, or one
// whose primary thread forked while all others rest. Any other is lost_threads. In its structured
// block the child does as it likes, opens regions, makes tasks and waits for them. Where it would
// have to wait for another thread of the team, or for a task that one had begun, it ends with an
// error; so it does at the end of the region, for each thread waits for the others there.
#pragma once

#include "team/team.h"

namespace bobbin {

[[noreturn]] void miss_others();

// Before the caller waits for other threads of the team, or leaves what is left to them.
inline void expect_others(const Team& team) {
  if (team.lost_threads) [[unlikely]]
    miss_others();
}

// visit(Team&), the innermost first, down to the initial team.
template <class Visit>
void each_team_around(const Thread& thread, Visit&& visit) {
  for (Member* member = thread.member; member != nullptr; member = member->team->encountering) {
    visit(*member->team);
  }
}

void init_fork_child();

}  // namespace bobbin
