// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "fiber/context/context.h"
#include "fiber/fiber.h"
#include "sched/processors/whereabouts.h"
#include "sched/workers/program_poller.h"
#include "sched/workers/provider.h"
#include "sched/workers/ticket.h"
#include "sched/workers/wait_begin.h"
#include "sched/workers/worker.h"

// The one pool of the process: every worker, which of them are idle, and the few operations by
// which the layers above start, stop and resume work.
namespace bobbin {

inline constexpr unsigned kMaxWorkers = 8192;  // kernel threads that ever run OpenMP at one time
static_assert(Whereabouts::kSlots == kMaxWorkers);
// The last of their slots are for roots. Other workers end by themselves, or the program goes on
// without them; but without a record a thread of the program cannot go on.
inline constexpr unsigned kSlotsForRoots = 512;
inline constexpr unsigned kMaxHelpers = 1024;

void init_pool();

// --- Workers.
// Enters the calling kernel thread, or a new one's record, into the registry; nullptr when full.
Worker* register_worker(WorkerKind kind);
void unregister_worker(Worker* worker);
// Provides a loop that the root's kernel thread runs while the root waits. False: there is no stack
// for it; then the kernel thread sleeps while the root waits.
bool provide_loop(Worker& root);

// --- Work.
// Shows the ticket among the worker's open teams, and wakes a helper if there is one and it would
// be of use. The ticket stays until withdraw(). `wanted`: how many workers could take part.
void publish(Ticket& ticket, Worker& worker, unsigned wanted);
// Called by the thread that forked, wherever it runs now.
void withdraw(Ticket& ticket, Worker& worker);
// There is more to do: wakes an idle worker, if there is one and a processor is free for it.
void wake_helper(Ticket& ticket, Worker& caller);

// The worker, whose processor has just been noted, has taken work from that processor. Counts how
// near that was.
inline void count_taken(Worker& worker, int processor) {
  if (!whereabouts.matters()) [[likely]]
    return;
  const int here = whereabouts.of(worker.index);
  worker.counts.ask(Heuristic::Nearest, whereabouts.share_a_group(here, processor));
}

// The fiber that the calling kernel thread carries; nullptr if that has never called into the
// runtime. Defined by the team layer.
Fiber* current_fiber();

// --- Fibers. See fiber/fiber.h for the protocol.
void resume(Fiber& fiber);
// For a caller that may be no OpenMP thread: a tool is not told who ends the wait.
void resume_untold(Fiber& fiber);
// Resumes many fibers at once, the last of them in its destructor. The fibers of one worker go to
// it as one chain, and it is told once.
class Resumptions {
 public:
  Resumptions() = default;
  Resumptions(const Resumptions&) = delete;
  Resumptions& operator=(const Resumptions&) = delete;
  ~Resumptions() { flush(); }

  void add(Fiber& fiber);

 private:
  void flush();

  Fiber* newest_ = nullptr;
  Fiber* oldest_ = nullptr;
  unsigned count_ = 0;
};
// Leaves the fiber until it is resumed. Returns at once if it was notified since the last suspend.
void suspend(Fiber& fiber);
// Lets other fibers run first, if there are any: sched_yield, taskyield. False: there are none.
bool yield(Fiber& fiber);
// Yields to them, and to other kernel threads if all of them wait for something outside.
void yield_to_all(Fiber& fiber);
// One step of a wait whose condition `ready` does not hold yet: runs something else, spins or
// suspends. Returns when it is worth looking again.
// Just before it suspends it calls `announce`, which must leave word for the thread that will make
// the condition true. That thread looks for the word after a sequentially consistent fence.
// `spin` says how long it is worth spinning (SpinBudget, or anything with ticks() and learn()), and
// whether the thread looks outside meanwhile (sched/workers/program_poller.h). `begin` belongs to
// the whole wait.
template <class Ready, class Announce, class Spin>
void await(Fiber& fiber, WaitBegin& begin, Ready&& ready, Announce&& announce, Spin&& spin);
// The same, learning from all such waits of the worker that carries the fiber.
struct LearntSpin {
  static constexpr bool kLooksOutside = true;
  Fiber& fiber;

  uint64_t ticks() const { return fiber.worker->wait_spin.ticks(); }
  void learn(uint64_t waited) { fiber.worker->wait_spin.learn(waited); }
};
struct RestingSpin : LearntSpin {
  static constexpr bool kLooksOutside = false;
};
// After so many times `worth_a_steal`, a millisecond, it is told since when a thread spins.
inline constexpr uint64_t kLongSpin = 256;
template <class Ready, class Announce>
void await(Fiber& fiber, WaitBegin& begin, Ready&& ready, Announce&& announce) {
  await(fiber, begin, ready, announce, LearntSpin{fiber});
}
// Is the stack that the fiber runs on nearly used up?
inline bool stack_nearly_used_up(const Fiber& fiber) { return stack_pointer() < fiber.stack_limit; }
// Calls function(argument) on a stack of its own, as the same fiber, for recursion deeper than a
// stack. Uses the same stack if no other can be had.
void call_on_fresh_stack(Fiber& fiber, void (*function)(void*), void* argument);
template <class Function>
void call_on_fresh_stack(Fiber& fiber, Function&& function) {
  auto call = [](void* called) { (*static_cast<std::remove_reference_t<Function>*>(called))(); };
  call_on_fresh_stack(fiber, call, &function);
}

// Has this worker anything that it could run besides what it runs now?
bool has_other_work(Worker& worker);
// Has it nothing that it should run before the rest of this ticket?
bool comes_first(Worker& worker, const Ticket& ticket);
// Has it anything, or could it take anything from another worker?
bool has_any_work(Worker& worker);

// Roots that are inside a parallel region now.
unsigned open_roots();

// Kernel threads of the application that have called into the runtime and have not ended.
unsigned all_roots();

// What the pool has used since the process began.
struct PoolUsage {
  uint64_t helpers;
  uint64_t spares;
  uint64_t switches;
};
PoolUsage pool_usage();

// Would a spin of this worker take a processor from nobody? No: the processor has just been taken
// away, or other processes and this one's other workers want all processors.
bool may_spin(const Worker& worker, uint64_t now);

// Is a helper without work? Then what was just made available may need a wake-up.
bool helpers_idle();

// For the runtime's own kernel threads, which work on fibers' stacks. In bytes.
size_t native_stack_size();

// The last root has ended: ends the helpers and the monitor, because the process may be waiting for
// its last kernel thread to end (pthread_exit from main).
void end_pool();

// omp_pause_resource: ends idle helpers; they come back when needed.
void pause_pool();

template <class Ready, class Announce>
[[gnu::always_inline]] inline void announce_and_suspend(Fiber& fiber, WaitBegin& begin,
                                                        uint64_t now, Ready&& ready,
                                                        Announce&& announce) {
  announce();
  fence(seq_cst);
  if (!ready()) {
    begin.tell(fiber, now);
    suspend(fiber);
  }
  WaitBegin::take_back(fiber);
}

// A function of its own: where the worker has other threads to carry, nothing of this is executed.
template <class Ready, class Announce, class Spin>
[[gnu::noinline]] void spin_and_suspend(Fiber& fiber, WaitBegin& begin, Ready& ready,
                                        Announce& announce, Spin& spin) {
  Worker& worker = *fiber.worker;
  uint64_t start = ticks();
  uint64_t now = start;
  uint64_t budget = may_spin(worker, start) ? spin.ticks() : 0;
  bool told = false;
  // A worker that waits while another one has ready fibers takes one over, and that fiber comes
  // back here when it waits next. So fibers spread evenly and stay so. The looks get rarer and
  // rarer.
  uint64_t next_look = worth_a_steal.load(relaxed);
  const uint64_t long_spin = kLongSpin * next_look;
  auto work_elsewhere = [&] {
    if (!worker.carries_others || now - start < next_look) return false;
    next_look *= 2;
    return has_any_work(worker);
  };
  do {
    if (Spin::kLooksOutside && poll_program()) budget = spin_limits.most.load(relaxed);
    for (int round = 0; round < 8; round++) {
      if (ready()) {
        if (told) [[unlikely]]
          WaitBegin::take_back(fiber);
        spin.learn(now - start);
        return;
      }
      cpu_pause();
    }
    if (worker.carries_others && has_other_work(worker)) break;
    now = ticks();
    if (now - start >= long_spin) [[unlikely]] {
      coarse_clock.advance_if_late(now);
      begin.tell(fiber, start);
      told = true;
    }
  } while (now - start < budget && !work_elsewhere() && !fiber.has_signals());
  coarse_clock.advance_if_late(now);
  announce_and_suspend(fiber, begin, start, ready, announce);
  spin.learn(ticks() - start);
}

template <class Ready, class Announce, class Spin>
void await(Fiber& fiber, WaitBegin& begin, Ready&& ready, Announce&& announce, Spin&& spin) {
  Worker& worker = *fiber.worker;
  worker.pass_scheduling_point();
  if (worker.carries_others && has_other_work(worker)) {
    announce_and_suspend(fiber, begin, coarse_clock.ticks(), ready, announce);
  } else {
    spin_and_suspend(fiber, begin, ready, announce, spin);
  }
}

}  // namespace bobbin
