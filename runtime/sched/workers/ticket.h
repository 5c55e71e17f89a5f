// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "sched/forecasts/brief_regions.h"

namespace bobbin {

struct Fiber;
struct Group;
struct Worker;
class OpenTeams;

// Work that several workers may take part in: what a forked team shows to the scheduler. One ticket
// stands for the whole team; the team decides how its parts are claimed (team/members/member.cpp).
// Tickets are type-stable: a worker may look at one that has just been withdrawn, or that has been
// published again for other work. The claims decide.
struct Ticket {
  Atomic<Group*> group{nullptr};  // the group that it belongs to
  // Where it is shown, see open_teams.h. Used by the forking thread only, except the list's link.
  Atomic<Ticket*>* slot = nullptr;
  OpenTeams* shown_by = nullptr;
  Ticket* next_open = nullptr;
  // Used by the forking thread only, see wake.cpp.
  const void* code = nullptr;                          // what the region executes
  uint64_t begun_at = 0;                               // 0: its length is not of interest
  BriefRegions::Way way = BriefRegions::Way::Untimed;  // for a region that comes soon after another
};

// What the scheduler asks. The team layer defines these functions, which are bound when linking:
// there is one kind of ticket, and a table of functions would cost a load and a guess on every
// fork.

// Would another worker find something to do? A hint, without side effects.
bool wants_worker(const Ticket& ticket);

// How many workers would. Also a hint, and more expensive.
unsigned workers_wanted(const Ticket& ticket);

// Takes part until there is nothing left to claim, or until what it has begun waits. Called by a
// worker's loop, with the kernel thread's own thread pointer.
void take_part(Ticket& ticket, Worker& worker);

// A part that take_part() had begun has ended, and its stack is left. Called by the loop of the
// worker on which it ended.
void part_ended(Fiber& fiber);

// A ready fiber whose `sp` is null has not begun. Begins it, as take_part() does with a part that
// it has claimed.
void begin_part(Fiber& fiber, Worker& worker);
// Gives it the context in which it begins, for a worker that will switch to it from another fiber.
void prepare_to_begin(Fiber& fiber);

}  // namespace bobbin
