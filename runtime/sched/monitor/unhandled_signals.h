// SPDX-License-Identifier: Apache-2.0
// Fibers with signals that are not handled yet. The monitor nudges them again, because a nudge that
// came at a bad moment has had no effect. For a fiber that is neither carried nor suspended it
// sends a spare worker (team/members/visit.h). A fiber that has handled its signals itself is
// dropped.
//
// Invariant: while `listed` is set, the fiber is on the list, or held by the thread that has taken
// it from there. The thread that clears `listed` looks for signals once more.
#pragma once

#include "fiber/fiber.h"

namespace bobbin {

void list_unhandled(Fiber& fiber);

// By the monitor: drops the fibers that have none left, and nudges the other fibers if they run.
struct UnhandledSignals {
  bool any = false;
  unsigned visits = 0;  // how many may have to be visited
};
UnhandledSignals sort_unhandled();

bool any_unhandled();

// A signal for the process is pending in the kernel that some carried thread may handle. The
// monitor nudges all workers once.
void list_left_signal();

// By a worker that the monitor sent: does one of them.
void handle_listed(Worker& worker);

// Defined by the team layer, bound when linking: makes a fiber that no worker carries handle its
// signals.
void visit(Fiber& fiber, Worker& worker);

void forget_unhandled();

}  // namespace bobbin
