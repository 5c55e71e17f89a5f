// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/spinlock.h"
#include "sched/bitset.h"
#include "sched/deadline.h"
#include "sched/neighbours.h"
#include "sched/pool.h"

// What the files of sched/ share about the pool; nobody else's business.
namespace bobbin {

struct StandBy;

struct Pool {
  // Written at start-up only.
  unsigned processors = 1;
  unsigned most_helpers = 0;

  // Of the program; taken before the first kernel thread is made.
  SignalSet signal_mask = 0;

  // One past the highest slot in use. Written under `lock`: who comes fills the lowest slot that is
  // empty, who goes lowers it to the next that is not. So a worker that is there lies below it, for
  // itself and for whoever has seen anything that it did.
  Atomic<unsigned> highest{0};
  Atomic<Worker*> registry[kMaxWorkers] = {};
  Atomic<unsigned> roots_met{0};  // that have ever been in it; written under `lock`

  // Helper k, from its making until its kernel thread ends, or null. Written under `lock`.
  Atomic<Worker*> helpers[kMaxHelpers] = {};
  Atomic<unsigned> helper_count{0};  // of them
  // Bit k: helper k has announced that it is idle. Set by the helper; cleared by whoever will
  // give it a hint and unpark it, or by the helper itself when it found work. One that retires may
  // be gone when it is looked for.
  AtomicBitset<kMaxHelpers / 64> idle;
  // There was no kernel thread or no stack for one: no more are asked for until then.
  Deadline no_more_threads;

  // One that is idle, now the caller's to unpark; nullptr: there is none, or it has just ended.
  Worker* claim_idle_helper() {
    const int number = idle.claim_lowest();
    return number >= 0 ? helpers[number].load(acquire) : nullptr;
  }

  WakeUp wake_up;
  Neighbours neighbours;

  SpinLock lock;  // registry slots, making helpers, who rests
  // Records of ended kernel threads. A fiber goes into the inbox of the record on which it ran
  // last, whoever that belongs to by then. Guarded by lock.
  Worker* unused = nullptr;
  StandBy* standby = nullptr;  // kernel threads, see standby.h; guarded by lock

  // All in the registry, until visit(Worker&) returns true.
  template <class Visit>
  void each(Visit&& visit) {
    unsigned count = highest.load(acquire);
    for (unsigned i = 0; i < count; i++) {
      Worker* worker = registry[i].load(acquire);
      if (worker != nullptr && visit(*worker)) return;
    }
  }
  // The others, from the next one on.
  template <class Visit>
  void each_other(Worker& self, Visit&& visit) {
    unsigned count = highest.load(acquire);
    for (unsigned step = 1; step <= count; step++) {
      unsigned at = self.index + step;
      if (at >= count) at -= count;
      Worker* worker = registry[at].load(acquire);
      if (worker == nullptr || worker == &self) continue;
      if (visit(*worker)) return;
    }
  }
};

extern Pool pool;

// The pool's own loop, with the kernel thread's own thread pointer; ends with a worker that
// retires.
void run_loop(Worker& worker);

// A team has just been forked: calls a helper, if it would be of use. And what is to be learnt when
// the region has ended.
void wake_at_fork(Ticket& ticket, Worker& forker);
void learn_length(Ticket& ticket, Worker& forker);

// May this worker begin something for others? Open roots and active workers together stay within
// the processors that other processes leave.
bool processor_free_for(const Worker& worker);

// Sends an idle helper, which takes on work, processor free or not: that of `hint` if it is not
// nullptr. False: none is idle.
bool force_helper(Ticket* hint);

// More fibers are ready here than it can carry: another helper may come and take some.
void wake_for_fibers(Worker& worker);

// A helper that has nothing else to do looks, now and then, what other processes do.
void look_at_neighbours();

// Starts a kernel thread that rests, if there is one to be had and no other is on its way to rest.
void start_resting();
// In the child of a fork.
void forget_resting_on_its_way();
// Starts one more kernel thread; false when that is not possible (or not wanted any more).
bool start_worker(WorkerKind kind);
// Kernel threads, or what they need, are scarce: says so once, and leaves the system in peace for a
// while. The program goes on with those that there are.
void note_scarcity();
bool threads_scarce(uint64_t now);

// Puts a fiber that nobody else owns where a worker will find it: the one that carried it last, or
// its root's.
void enqueue(Fiber& fiber);
void send_home(Fiber& fiber);

Fiber* next_own_fiber(Worker& worker);

}  // namespace bobbin
