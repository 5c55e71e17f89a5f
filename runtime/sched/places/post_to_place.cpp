// SPDX-License-Identifier: Apache-2.0
#include "sched/places/post_to_place.h"

#include <utility>

#include "platform/diagnostics.h"
#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

// How many of the place's first `most` helpers there are.
unsigned count_helpers(const BoundPlace& place, unsigned most) {
  unsigned count = 0;
  for (unsigned i = 0; i < most; i++) {
    if (pool.helpers[place.first_helper + i].load(relaxed) != nullptr) count++;
  }
  return count;
}

bool has_helper(const BoundPlace& place) { return count_helpers(place, place.most_helpers) != 0; }

// Wakes or starts up to `wanted` of the place's first `most` helpers. Often all of them are there
// and at work. Then nothing is tried: to start a kernel thread begins with the pool's lock.
void call_helpers(int number, unsigned most, unsigned wanted) {
  const BoundPlace& place = bound_places()[number];
  for (; wanted != 0; wanted--) {
    if (Worker* idle = pool.claim_idle_helper(place, most)) {
      idle->parking.unpark();
    } else if (count_helpers(place, most) == most || !start_helper(number, most)) {
      return;
    }
  }
}

// Workers without a place may carry them from now on.
void release_fibers(BoundPlace& place) {
  static OnceFlag said;
  warn_once(said, "cannot start a kernel thread for a place; its threads run elsewhere");
  for (Fiber* fiber = place.inbox.take_all_fifo(); fiber != nullptr;) {
    Fiber* next = fiber->next;
    fiber->place.store(-1, relaxed);
    send_home(*fiber);
    fiber = next;
  }
}

// Sees to it that what lies in the place's inbox is covered.
void cover(int number, unsigned wanted) {
  BoundPlace& place = bound_places()[number];
  call_helpers(number, place.most_helpers, wanted);
  if (!has_helper(place)) release_fibers(place);
}

// A place of one processor: there the root takes turns with the threads of its group.
bool is_for_home(const BoundPlace& place, int number, const Worker& home) {
  return place.most_helpers == 1 && home.place == number && home.kind == WorkerKind::Root &&
         home.carries_others;
}

void post_elsewhere(const FiberChain& chain, int number) {
  BoundPlace& place = bound_places()[number];
  Worker& home = *chain.newest->group.load(relaxed)->home;
  if (is_for_home(place, number, home)) {
    home.inbox.push_chain(chain.newest, chain.oldest);
    fence(seq_cst);
    if (home.idle.load(relaxed)) home.parking.unpark();
    return;
  }
  place.inbox.push_chain(chain.newest, chain.oldest);
  fence(seq_cst);
  cover(number, chain.count);
}

void send_each_home(const FiberChain& chain) {
  Fiber* next = chain.newest;
  for (unsigned left = chain.count; left != 0; left--) send_home(*std::exchange(next, next->next));
}

}  // namespace

void post_to_place(const FiberChain& chain, Worker& here) {
  const int place = chain.newest->place.load(relaxed);
  const bool keeps = here.carries_others && here.kind != WorkerKind::Spare && place == here.place;
  if (place >= 0 && !keeps) return post_elsewhere(chain, place);
  if (!here.carries_others) return send_each_home(chain);
  // This worker covers them. It is awake, because it carries the caller.
  here.inbox.push_chain(chain.newest, chain.oldest);
  if (place < 0) return;
  const unsigned beside = bound_places()[place].most_beside();
  if (beside == 0) return;
  fence(seq_cst);
  call_helpers(place, beside, chain.count);
}

void post_to_place(Fiber& fiber) {
  FiberChain chain;
  chain.add(fiber);
  post_elsewhere(chain, fiber.place.load(relaxed));
}

void empty_places() {
  const BoundPlaces& places = bound_places();
  for (unsigned i = 0; i < places.count(); i++) places[static_cast<int>(i)].inbox.reopen();
}

void cover_place(int number, bool scarce) {
  const BoundPlace& place = bound_places()[number];
  fence(seq_cst);
  if (!place.inbox.empty() && !has_helper(place)) cover(number, scarce ? 0 : 1);
}

}  // namespace bobbin
