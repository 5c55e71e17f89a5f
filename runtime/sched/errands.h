// SPDX-License-Identifier: Apache-2.0
// Fibers with signals that nobody has handled yet, for the case that they are neither carried nor
// suspended: a spare worker is sent to each by the monitor (team/visit.h). One that does handle its
// signals itself is dropped.
//
// Invariant: a fiber is on the list, or in the hands of who has taken it from there, while `listed` is
// set. Who clears it looks for signals once more.
#pragma once

#include "fiber/fiber.h"

namespace bobbin {

void list_errand(Fiber& fiber);

bool has_signals(const Fiber& fiber);

// How many are left, by the monitor.
unsigned sort_errands();

bool errands_wait();

// By a worker that was sent: does one of them.
void do_errand(Worker& worker);

// Answered by the team layer, bound when linking: has a fiber that nobody carries handle its signals.
void visit(Fiber& fiber, Worker& worker);

void forget_errands();

}  // namespace bobbin
