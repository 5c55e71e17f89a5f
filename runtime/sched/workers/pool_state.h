// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/locks/spinlock.h"
#include "sched/forecasts/deadline.h"
#include "sched/forecasts/neighbours.h"
#include "sched/processors/whereabouts.h"
#include "sched/queues/bitset.h"
#include "sched/workers/bound_places.h"
#include "sched/workers/pool.h"

// What the files of sched/ share about the pool. Of the other layers only the description for
// debuggers (abi/native/debugger_view.cpp) uses it.
namespace bobbin {

struct StandBy;

struct Pool {
  // Workers that may be active, and how many of them may be helpers. Helpers beyond that number end
  // when they are idle. Written at start-up, and when processors come or go.
  Relaxed<unsigned> processors = 1;
  Relaxed<unsigned> most_helpers = 0;
  void set_workers(unsigned count) {
    processors = count;
    most_helpers = threads_are_bound || count > kMaxHelpers ? kMaxHelpers : count - 1;
  }

  // Of the thread that started the monitor; 0: that of the thread that sets it.
  unsigned long timer_slack = 0;

  // One past the highest slot in use. Written under `lock`: a new worker fills the lowest empty
  // slot; a worker that ends lowers this to the next slot in use. So a registered worker lies below
  // it, for the worker itself and for each thread that has seen anything that the worker did.
  Atomic<unsigned> highest{0};
  Atomic<Worker*> registry[kMaxWorkers] = {};
  Relaxed<uint64_t> helpers_begun = 0;  // written under `lock`, as is the next one
  Relaxed<uint64_t> spares_begun = 0;
  Atomic<unsigned> roots_met{0};  // how many have ever been registered; written under `lock`
  // How often the processors on which helpers may run have changed.
  Atomic<unsigned> mask_changes{0};

  // Helper k, from its creation until its kernel thread ends, or null. Written under `lock`.
  Atomic<Worker*> helpers[kMaxHelpers] = {};
  Atomic<unsigned> helper_count{0};  // how many there are
  // Bit k: helper k has announced that it is idle. Set by the helper. Cleared by the thread that
  // will give it a hint and unpark it, or by the helper itself when it found work. A helper that
  // retires may be gone when it is looked up.
  BitsetView idle{idle_words_, BitsetView::words_for(kMaxHelpers), BitsetView::kApart};
  // At the start: so many helpers may become idle. A search of the idle ones looks no further.
  void make_room_for(unsigned idle_ones) {
    const unsigned most = idle_ones < kMaxHelpers ? idle_ones : kMaxHelpers;
    idle = BitsetView(idle_words_, BitsetView::words_for(most), BitsetView::kApart);
  }

  // Set when a kernel thread, or a stack for one, could not be had: until then no more are asked
  // for.
  Deadline no_more_threads;

  // The idle helper that this worker should call: on one of the fastest processors, and of these
  // the nearest. -1: none is idle.
  int best_idle(const Worker& worker) const {
    const Distance& distance = whereabouts.distance();
    if (distance.flat()) [[likely]]
      return idle.lowest();
    const int here = whereabouts.of(worker.index);
    int best = -1;
    unsigned least = ~0U;
    // Of equally good ones each worker takes a different one, so that they do not all try to claim
    // the same.
    unsigned equals = 0;
    uint32_t random = worker.index + 1;
    idle.each_from(first_asked(worker), [&](unsigned number) {
      const Worker* helper = helpers[number].load(acquire);
      if (helper == nullptr) return false;
      const unsigned rank = distance.call_rank(here, whereabouts.of(helper->index));
      if (rank > least) return false;
      equals = rank < least ? 1 : equals + 1;
      random = random * 1664525u + 1013904223u;
      if ((random >> 16) % equals == 0) best = static_cast<int>(number);
      least = rank;
      return least == 0;
    });
    return best;
  }
  int lowest_idle(const BoundPlace& place, unsigned most) const {
    for (unsigned i = 0; i < most; i++) {
      if (idle.has(place.first_helper + i)) return static_cast<int>(place.first_helper + i);
    }
    return -1;
  }
  // Claims it, or another one; the caller must unpark it. nullptr: there is none, or it has just
  // ended.
  Worker* claim_idle_helper(const Worker& worker) {
    if (worker.bound != nullptr) [[unlikely]]
      return claim_idle_helper(*worker.bound, worker.bound->most_beside());
    int number = best_idle(worker);
    if (number < 0) return nullptr;
    if (!idle.claim(static_cast<unsigned>(number))) number = idle.claim_any(first_asked(worker));
    return number >= 0 ? helpers[number].load(acquire) : nullptr;
  }
  // For a caller that is no worker.
  Worker* claim_idle_helper() {
    const int number = idle.claim_lowest();
    return number >= 0 ? helpers[number].load(acquire) : nullptr;
  }
  // One of the place's first `most` helpers.
  Worker* claim_idle_helper(const BoundPlace& place, unsigned most) {
    for (;;) {
      const int number = lowest_idle(place, most);
      if (number < 0) return nullptr;
      if (!idle.claim(static_cast<unsigned>(number))) continue;
      if (Worker* helper = helpers[number].load(acquire)) return helper;
    }
  }

  WakeUp wake_up;
  Neighbours neighbours;

  SpinLock lock;  // registry slots, making helpers, kernel threads that stand by
  // Records of ended kernel threads. A fiber goes into the inbox of the record on which it ran
  // last, whichever kernel thread that belongs to by then. Guarded by lock.
  Worker* unused = nullptr;
  StandBy* standby = nullptr;  // kernel threads, see standby.h; guarded by lock

  // All workers in the registry, until visit(Worker&) returns true.
  template <class Visit>
  void each(Visit&& visit) {
    unsigned count = highest.load(acquire);
    for (unsigned i = 0; i < count; i++) {
      Worker* worker = registry[i].load(acquire);
      if (worker != nullptr && visit(*worker)) return;
    }
  }
  // All workers except `self`, from the next one on.
  template <class Visit>
  void each_other(const Worker& self, Visit&& visit) {
    unsigned count = highest.load(acquire);
    for (unsigned step = 1; step <= count; step++) {
      unsigned at = self.index + step;
      if (at >= count) at -= count;
      Worker* worker = registry[at].load(acquire);
      if (worker == nullptr || worker == &self) continue;
      if (visit(*worker)) return;
    }
  }
  // The same, the nearest first, for a worker that is about to take something.
  template <class Visit>
  void each_other_nearest_first(Worker& self, Visit&& visit) {
    const unsigned count = highest.load(acquire);
    // Begins behind itself. A record may have left the registry.
    const unsigned index = self.index;
    const unsigned own = index < count ? index : 0;
    const int here = whereabouts.note(self.index);
    ask_nearest_first(
        whereabouts.distance(), here, count, own,
        [](unsigned slot) { return whereabouts.of(slot); },
        [&](unsigned slot) {
          Worker* worker = registry[slot].load(acquire);
          return worker != nullptr && worker != &self && visit(*worker);
        });
  }

 private:
  // Workers that wake helpers at the same time begin with different numbers.
  static unsigned first_asked(const Worker& worker) {
    return worker.helper != kNoHelper ? worker.helper : 0;
  }

  alignas(kCacheLine) Atomic<uint64_t> idle_words_[kMaxHelpers / 64 * BitsetView::kApart] = {};
};

extern Pool pool;

// The pool's own loop, which runs with the kernel thread's own thread pointer. It ends when the
// worker retires.
void run_loop(Worker& worker);

// Does the helper spin before it announces that it is idle?
bool announces_late(const Worker& helper);

// A team has just been forked: wakes a helper if that would be of use. learn_length() learns from
// the region when it has ended.
void wake_at_fork(Ticket& ticket, Worker& forker, uint64_t now);
void learn_length(Ticket& ticket, Worker& forker);

// May this worker begin something for others? Open roots and active workers together stay within
// the processors that other processes leave.
bool processor_free_for(const Worker& worker);

// Sends an idle helper, which takes on work whether or not a processor is free: that of `hint` if
// it is not nullptr. `place`: to which it must belong, or -1. False: no helper is idle.
bool force_helper(Ticket* hint, int place);

// More fibers are ready here than this worker can carry: wakes a helper, which may take some.
void wake_for_fibers(Worker& worker);

// For a helper without work: looks, now and then, what other processes do.
void look_at_neighbours();

// Starts a kernel thread that stands by, if one can be had and no other one is on its way.
void start_standby();
// In the child of a fork.
void forget_standby_on_its_way();
// Starts one more kernel thread, for that place unless it is -1. False: that is not possible, or
// not wanted any more.
bool start_worker(WorkerKind kind, int place);
// The same for one of the place's first `most` helpers.
bool start_helper(int place, unsigned most);
// Ends idle helpers whose numbers are beyond the most that are wanted now.
void end_surplus_helpers();
// Kernel threads, or what they need, are scarce: warns once, and starts no more for a while. The
// program goes on with the existing ones.
void note_scarcity();
bool threads_scarce(uint64_t now);

// Puts a fiber that no other thread owns where a worker will find it: with the worker that carried
// it last, or with its root's.
void enqueue(Fiber& fiber);
void send_home(Fiber& fiber);
// The same for a fiber that the worker with which it lies may not carry: to its place, or home.
void send_elsewhere(Fiber& fiber);

Fiber* next_own_fiber(Worker& worker);

}  // namespace bobbin
