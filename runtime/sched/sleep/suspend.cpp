// SPDX-License-Identifier: Apache-2.0
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/diagnostics.h"
#include "platform/locks/futex.h"
#include "sched/kernel_threads/kept.h"
#include "sched/places/post_to_place.h"
#include "sched/signals/signals.h"
#include "sched/workers/pool_state.h"
#include "sched/workers/signal_mask.h"
#include "sched/workers/tell_worker.h"

// Leaving a fiber and coming back to it: the hand-over protocol of fiber/fiber.h.
namespace bobbin {
namespace {

constexpr auto kRunning = static_cast<uint32_t>(FiberState::Running);
constexpr auto kNotified = static_cast<uint32_t>(FiberState::Notified);
constexpr auto kWaiting = static_cast<uint32_t>(FiberState::Waiting);
constexpr auto kParked = static_cast<uint32_t>(FiberState::Parked);

// The kernel thread sleeps at this place: with the kernel provider, or if there is no stack to
// continue on.
void park_in_place(Fiber& fiber) {
  uint32_t expected = kRunning;
  if (fiber.state.compare_exchange_strong(expected, kParked, acq_rel, acquire)) {
    if (tool::watched) [[unlikely]]
      tell_carries_none(*fiber.worker, bobbin_worker_sleeps);
    while (fiber.state.load(acquire) == kParked) futex_wait(fiber.state, kParked);
    if (tool::watched) [[unlikely]]
      tell_carries(*fiber.worker, fiber);
  }
  fiber.state.exchange(kRunning, acquire);
}

// Switches to `next`, or to the loop if that is nullptr. False: there was no stack for the root's
// loop.
bool leave(Fiber& fiber, Worker& worker, Fiber* next) {
  void* target;
  ThreadPointer tls;
  if (next != nullptr) {
    next->worker = &worker;
    if (tool::watched) [[unlikely]]
      tell_carries(worker, *next);
    match_signal_mask(worker, *next);
    if (next->sp == nullptr) [[unlikely]]
      prepare_to_begin(*next);
    target = next->sp;
    tls = next->tls;
  } else {
    if (worker.loop_sp == nullptr) return false;
    target = worker.loop_sp;
    tls = worker.native_tls;
  }
  worker.count_switch();
  worker.leaving = &fiber;
  auto* now = static_cast<Worker*>(bobbin_switch_context(&fiber.sp, target, &worker, tls));
  now->arrive();
  return true;
}

// A worker that sleeps or spins must be told about its ready fibers. If the worker is busy, their
// root may take them, if it waits, or idle helpers may.
void tell_about_ready_fibers(Worker& worker, const Group& group, unsigned count) {
  fence(seq_cst);
  Worker* home = group.home;
  if (worker.idle.load(relaxed)) {
    worker.parking.unpark();
  } else if (home != &worker && home->place == worker.place && home->idle.load(relaxed)) {
    home->parking.unpark();
  } else {
    for (; count != 0 && pool.idle.any(); count--) {
      if (Worker* helper = pool.claim_idle_helper(worker)) helper->parking.unpark();
    }
  }
}

// Will it not carry fibers of the place for long, or never again?
bool leaves_to_place(const Worker& worker, const Fiber& fiber) {
  if (!threads_are_bound) return false;
  if (worker.kind == WorkerKind::Spare) return true;
  return !worker.carries_others && fiber.place.load(relaxed) >= 0;
}

void send_each_elsewhere(Fiber& newest, Fiber& oldest) {
  for (Fiber* fiber = &newest;;) {
    Fiber* next = fiber->next;
    const bool last = fiber == &oldest;
    send_elsewhere(*fiber);
    if (last) return;
    fiber = next;
  }
}

// The fibers are linked, the newest first; all belong to one worker and one group.
void enqueue_chain(Fiber& newest, Fiber& oldest, unsigned count) {
  Worker& worker = *newest.worker;
  // Read now, because once the fibers are in the inbox they may be running again.
  Group& group = *newest.group.load(relaxed);
  if (leaves_to_place(worker, newest)) [[unlikely]]
    return send_each_elsewhere(newest, oldest);
  if (worker.inbox.push_chain(&newest, &oldest) != Pushed::Closed) {
    tell_about_ready_fibers(worker, group, count);
    return;
  }
  // That kernel thread has ended. The root, and the place, exist as long as the fibers do.
  if (threads_are_bound) return send_each_elsewhere(newest, oldest);
  group.home->inbox.push_chain(&newest, &oldest);
  tell_about_ready_fibers(*group.home, group, count);
}

enum class Told : uint8_t { No, Yes };

// True: the fiber waited, and belongs to the caller now. `told`: whether a tool may be.
bool wake(Fiber& fiber, Told told) {
  uint32_t seen = fiber.state.load(relaxed);
  for (;;) {
    // Notified -> Notified is also written, because the waiter must see what was made true before
    // each of the notifications that it takes as one.
    uint32_t next = seen == kWaiting ? kRunning : kNotified;
    if (fiber.state.compare_exchange_weak(seen, next, acq_rel, relaxed)) break;
  }
  if (tool::watched && told == Told::Yes && (seen == kWaiting || seen == kParked)) [[unlikely]]
    tell_wakes(fiber);
  if (seen == kParked) futex_wake(fiber.state, 1);
  return seen == kWaiting;
}

}  // namespace

void enqueue(Fiber& fiber) {
  if (Worker* home = fiber.home) {
    home->home_ready.store(&fiber, release);
    home->parking.unpark();
  } else {
    enqueue_chain(fiber, fiber, 1);
  }
}

void send_home(Fiber& fiber) {
  fiber.worker = fiber.group.load(relaxed)->home;
  enqueue(fiber);
}

void send_elsewhere(Fiber& fiber) {
  if (fiber.place.load(relaxed) >= 0) {
    post_to_place(fiber);
  } else {
    send_home(fiber);
  }
}

void resume_untold(Fiber& fiber) {
  if (wake(fiber, Told::No)) enqueue(fiber);
}

void resume(Fiber& fiber) {
  if (wake(fiber, Told::Yes)) enqueue(fiber);
}

void Resumptions::add(Fiber& fiber) {
  if (!wake(fiber, Told::Yes)) return;
  if (fiber.home != nullptr) {
    enqueue(fiber);
    return;
  }
  if (count_ != 0 && (fiber.worker != newest_->worker ||
                      fiber.group.load(relaxed) != newest_->group.load(relaxed))) {
    flush();
  }
  fiber.next = newest_;
  newest_ = &fiber;
  if (count_++ == 0) oldest_ = &fiber;
}

void Resumptions::flush() {
  if (count_ != 0) enqueue_chain(*newest_, *oldest_, count_);
  newest_ = oldest_ = nullptr;
  count_ = 0;
}

namespace {

// Fibers that have begun could make each other ready for ever, and wait, unseen by the runtime, for
// one that has not begun. So now and then the loop is to begin one first.
bool turn_of_unbegun(const Worker& worker) {
  constexpr uint32_t kPeriod = 64;  // scheduling points
  return worker.progress.load(relaxed) % kPeriod == 0;
}

}  // namespace

void suspend(Fiber& fiber) {
  if (fiber.take_notification()) return deliver_pending_signals(fiber);
  Worker& worker = *fiber.worker;
  worker.pass_scheduling_point();
  if (!worker.carries_others) {
    send_in_its_place(worker);
    park_in_place(fiber);
    return deliver_pending_signals(fiber);
  }
  Fiber* next = nullptr;
  if (turn_of_unbegun(worker)) {
    worker.take_first = TakeFirst::Unbegun;
  } else {
    next = next_own_fiber(worker);
  }
  if (!leave(fiber, worker, next)) park_in_place(fiber);
  deliver_pending_signals(fiber);
}

bool yield(Fiber& fiber) {
  Worker& worker = *fiber.worker;
  worker.pass_scheduling_point();
  if (!worker.carries_others || !has_any_work(worker)) return false;
  // Every other time it goes through the loop, which begins a thread first. Otherwise two
  // fibers that yield to each other could keep a third from beginning.
  Fiber* next = (worker.next_random() & 1) != 0 ? next_own_fiber(worker) : nullptr;
  if (next == nullptr) {
    worker.take_first = has_other_work(worker) ? TakeFirst::Unbegun : TakeFirst::Elsewhere;
  }
  fiber.state.exchange(kNotified, acq_rel);  // so that arrive() makes it ready
  if (leave(fiber, worker, next)) {
    deliver_pending_signals(fiber);
    return true;
  }
  fiber.state.exchange(kRunning, acquire);
  return false;
}

void go_home(Fiber& fiber) {
  fiber.state.exchange(kNotified, acq_rel);  // so that arrive() sends it there
  if (!leave(fiber, *fiber.worker, nullptr)) fatal("a thread has no worker to leave");
}

namespace {

constexpr uint64_t kSoonUs = 5;       // a look at what is waited for
constexpr uint64_t kRecentlyUs = 50;  // some such looks

// Do all workers that have work poll?
bool all_poll(Worker& worker, uint64_t now) {
  bool all = true;
  pool.each_other(worker, [&](Worker& other) {
    all = !other.active.load(relaxed) || other.polling.polls(now, kRecentlyUs * ticks_per_us());
    return !all;
  });
  return all;
}

}  // namespace

void yield_to_all(Fiber& fiber) {
  Worker& worker = *fiber.worker;
  const uint64_t now = ticks();
  const bool in_vain = enabled(Heuristic::Polling) &&
                       worker.polling.yields(now, kSoonUs * ticks_per_us()) &&
                       all_poll(worker, now);
  worker.counts.ask(Heuristic::Polling, in_vain);
  if (!in_vain && yield(fiber)) return;
  worker.polling.away([] { syscall(SYS_sched_yield); });
}

}  // namespace bobbin
