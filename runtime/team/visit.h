// SPDX-License-Identifier: Apache-2.0
// A thread that has no part in a region just now handles signals, too: a collector that stops all
// threads that it knows waits until each has answered, also those that OpenMP keeps for later.
//
// Such a thread is carried by nobody. A spare worker visits it: begins on its stack, has it handle
// what is noted with it, and leaves it as it was.
//
// Invariant: while a thread is visited, nobody else carries it.
//   - In an open region the visitor adopts it, as those do who look for tasks: it takes the member
//     that rests, having entered the region.
//   - Otherwise its team lies with the thread that will fork it next, which takes it before
//   anything
//     else, and then looks for visitors; a visitor says first that it comes, then looks whether the
//     team lies there still. At least one of them sees the other (Dekker): the visitor leaves at
//     once, or the forking thread waits until it has gone. The fence on the side of the forking
//     thread, who takes a team for each region, is made by the visitor: membarrier(2). Where the
//     kernel has none, a thread handles its signals when its next region begins.
#pragma once

#include "team/team.h"

namespace bobbin {

// By the thread to which it belongs: the team is about to be used again, or to be dissolved.
void wait_for_visitors(Team& team);
inline void take_kept(Team& team) {
  team.kept.store(false, relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the visitor makes a whole one of it
  if (team.visitors.load(acquire) != 0) [[unlikely]]
    wait_for_visitors(team);
}

}  // namespace bobbin
