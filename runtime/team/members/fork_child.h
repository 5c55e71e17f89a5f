// SPDX-License-Identifier: Apache-2.0
// fork() within regions. The child has only the thread that forked. Nothing else of the program
// continues there.
//
// A waiting fiber has its stack and registers in memory, so the child has it too; and a thread that
// has not begun could begin there. But the parent executes both: what they do to files and to other
// processes would be done twice. Threads that ran on other kernel threads at that moment cannot
// continue at all. So all are forgotten: no thread begins, adopts or resumes them.
//
// A region stays usable in the child if no other thread was inside it: a team of one, or a team
// whose primary thread forked while all others rest. Any other team gets lost_threads. In its
// structured block the child may do anything: open regions, make tasks and wait for them. If it
// would have to wait for another thread of the team, or for a task that such a thread had begun, it
// ends with an error. It also ends with one at the end of the region, because each thread waits for
// the others there.
//
// Tasks that have blocked on the thread that forked (task/modes/blocking/blocking.h) could go on in
// the child, but what they wait for comes to the parent. So such a team counts as one that lost
// threads, and the child ends with the error if nothing else is left to do for it.
#pragma once

#include "team/model/team.h"

namespace bobbin {

[[noreturn]] void miss_others();

// To be called before the caller waits for other threads of the team, or leaves work to them.
inline void expect_others(const Team& team) {
  if (team.lost_threads) [[unlikely]]
    miss_others();
}

// Calls visit(Team&) for each team around, the innermost first, down to the initial team.
template <class Visit>
void each_team_around(const Thread& thread, Visit&& visit) {
  for (Member* member = thread.member; member != nullptr; member = member->team->encountering) {
    visit(*member->team);
  }
}

void init_fork_child();

}  // namespace bobbin
