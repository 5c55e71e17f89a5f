// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/fiber.h"
#include "sched/queues/inbox.h"

// Bound threads (OpenMP 5.2, section 10.1.3) as fibers. Each place has workers of its own, whose
// kernel threads are bound to the place's processors. Only they carry the fibers of that place:
//   - the place's helpers, at most one for each of its processors;
//   - roots whose initial threads are bound there, for the threads of their own groups;
//   - spares that the monitor sends because one of these workers is stuck. A spare takes no more
//     once none is, and what it has carried goes back to the others. Otherwise each thread of the
//     place would have a kernel thread in the end.
// So threads of one processor take turns without the kernel, and a place whose processors are busy
// with something else makes its threads wait, as kernel threads would. (BOBBIN_BIND=soft: unless a
// near place takes them, see sched/places/soft_binding.h.)
//
// How a fiber gets to its place: sched/places/post_to_place.h.
namespace bobbin {

// Is binding requested, and are threads fibers? Decided at the first use, constant afterwards.
extern bool threads_are_bound;

struct alignas(kCacheLine) BoundPlace {
  Inbox<Fiber> inbox;
  int processor = 0;  // its first
  // The numbers of its helpers.
  unsigned first_helper = 0;
  unsigned most_helpers = 0;
  // Written by the monitor at each look: workers wanted behind those that the place has, and
  // whether some of these are stuck.
  unsigned wanted = 0;
  Atomic<bool> stuck{false};

  // Helpers that are of use to a caller that runs in the place itself, and keeps one processor.
  unsigned most_beside() const { return most_helpers != 0 ? most_helpers - 1 : 0; }
};

class BoundPlaces {
 public:
  unsigned count() const { return count_; }
  BoundPlace& operator[](int place) const { return places_[place]; }

  void fill();
  void clear();

 private:
  BoundPlace* places_ = nullptr;
  unsigned count_ = 0;
};

// Those of the program's list of places. The first caller is the first root.
const BoundPlaces& bound_places();

// The worker belongs to this place from now on. -1: to none.
void belong_to_place(Worker& worker, int place);

// Binds the calling kernel thread to the processors of its worker's place.
void move_to_place_of(const Worker& worker);

}  // namespace bobbin
