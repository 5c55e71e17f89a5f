// SPDX-License-Identifier: Apache-2.0
// Fibers with signals that nobody has handled yet. The monitor nudges them, for a nudge that came
// at a bad moment has had no effect; and for the case that they are neither carried nor suspended
// it sends a spare worker (team/visit.h). One that does handle its signals itself is dropped.
//
// Invariant: a fiber is on the list, or in the hands of who has taken it from there, while `listed`
// is set. Who clears it looks for signals once more.
#pragma once

#include "fiber/fiber.h"

namespace bobbin {

void list_errand(Fiber& fiber);

// By the monitor: drops those that have been done and nudges the others, if they run.
struct Errands {
  bool any = false;
  unsigned visits = 0;  // so many may have to be visited
};
Errands sort_errands();

bool errands_wait();

// By a worker that was sent: does one of them.
void do_errand(Worker& worker);

// Answered by the team layer, bound when linking: has a fiber that nobody carries handle its
// signals.
void visit(Fiber& fiber, Worker& worker);

void forget_errands();

}  // namespace bobbin
