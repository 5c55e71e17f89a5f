// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/workers/bound_places.h"

// A ready fiber lies with the worker of its place that carried it last, or made it; or, if the
// place has one processor, with the root of its group that is bound there; or else in the inbox of
// the place. Invariant: what lies in a place's inbox is covered (sched/README.md) by a helper of
// the place, which is awake and will look there before it sleeps, or is on its way.
//   Post: push to the inbox. Read, after a fence: the place's idle helpers, then whether it has
//   any. Announce: a helper that finds nothing sets its bit in `pool.idle`; one that ends leaves
//   `pool.helpers`. Look: both look at the inbox once more, after a fence.
// If no helper can be had, the place's fibers are bound to no place any more, and go to their
// roots.
namespace bobbin {

// Fibers of one group and one place that no other thread owns, linked, the newest first.
struct FiberChain {
  Fiber* newest = nullptr;
  Fiber* oldest = nullptr;
  unsigned count = 0;

  void add(Fiber& fiber) {
    fiber.next = newest;
    newest = &fiber;
    if (count++ == 0) oldest = &fiber;
  }
};

// Puts them where a worker of their place finds them. `here` carries the caller, and may carry
// them.
void post_to_place(const FiberChain& chain, Worker& here);
// The same for one, whoever carries the caller.
void post_to_place(Fiber& fiber);

// In the child of a fork: what lies with the places is the parent's.
void empty_places();

// A helper of the place has ended, or could not be started: somebody else is to look after the
// place's inbox.
void cover_place(int place, bool scarce);

}  // namespace bobbin
