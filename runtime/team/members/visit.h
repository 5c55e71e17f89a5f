// SPDX-License-Identifier: Apache-2.0
// A thread that has no part in a region at the moment must handle signals, too: a garbage collector
// that stops all threads that it knows waits until each has answered, also those that OpenMP keeps
// for later.
//
// No worker carries such a thread. A spare worker visits it: it begins on the thread's stack, has
// the thread handle the signals noted for it, and leaves the thread as it was.
//
// Invariant: while a thread is visited, no other worker carries it.
//   - In an open region the visitor adopts the thread, like workers that look for tasks: it enters
//     the region, then takes the resting member.
//   - Otherwise the team is kept by the thread that will fork it next. That thread first takes the
//     team, then checks for visitors. A visitor first announces itself, then checks whether the
//     team is still kept. At least one of them sees the other (Dekker): the visitor leaves at once,
//     or the forking thread waits until the visitor has gone. The forking thread takes a team for
//     each region, so the visitor makes the fence for it: membarrier(2). If the kernel has no
//     membarrier, a thread handles its signals when its next region begins.
#pragma once

#include "team/model/team.h"

namespace bobbin {

// Called by the thread that owns the team: the team is about to be used again, or to be dissolved.
void wait_for_visitors(Team& team);
inline void take_kept(Team& team) {
  team.kept.store(false, relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the visitor makes it a full fence
  if (team.visitors.load(acquire) != 0) [[unlikely]]
    wait_for_visitors(team);
}

}  // namespace bobbin
