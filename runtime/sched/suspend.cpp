// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/futex.h"
#include "sched/pool_state.h"

// Leaving a fiber and coming back to it: the hand-over protocol of fiber/fiber.h.
namespace bobbin {
namespace {

constexpr auto kRunning = static_cast<uint32_t>(FiberState::Running);
constexpr auto kNotified = static_cast<uint32_t>(FiberState::Notified);
constexpr auto kWaiting = static_cast<uint32_t>(FiberState::Waiting);
constexpr auto kParked = static_cast<uint32_t>(FiberState::Parked);

// The kernel thread sleeps where it stands: kernel provider, or no stack to go on with.
void park_in_place(Fiber& fiber) {
  uint32_t expected = kRunning;
  if (fiber.state.compare_exchange_strong(expected, kParked, acq_rel, acquire)) {
    while (fiber.state.load(acquire) == kParked) futex_wait(fiber.state, kParked);
  }
  fiber.state.exchange(kRunning, acquire);
}

// A signal handler that yields must not leave its alternate stack, which is the kernel thread's.
bool on_signal_stack() {
  stack_t now{};
  syscall(SYS_sigaltstack, nullptr, &now);
  return (now.ss_flags & SS_ONSTACK) != 0;
}

// Goes on with `next`, or with the loop if there is none. False: there is no stack for the loop.
bool leave(Fiber& fiber, Worker& worker, Fiber* next) {
  void* target;
  ThreadPointer tls;
  if (next != nullptr) {
    next->worker = &worker;
    target = next->sp;
    tls = next->tls;
  } else {
    Stack* stack = worker.take_idle_stack();
    if (stack == nullptr) return false;
    worker.entering_stack = stack;
    target = make_context(stack->top(), enter_loop);
    tls = worker.native_tls;
  }
  worker.leaving = &fiber;
  auto* now = static_cast<Worker*>(bobbin_switch_context(&fiber.sp, target, &worker, tls));
  now->arrive();
  return true;
}

// A fiber whose worker sleeps or spins must tell it; one whose worker is busy may be taken by its
// root, if that waits, or by an idle helper.
void tell_about_ready_fiber(Worker& worker, const Group& group) {
  fence(seq_cst);
  Worker* home = group.home;
  if (worker.idle.load(relaxed)) {
    worker.parking.unpark();
  } else if (home != &worker && home->idle.load(relaxed)) {
    home->parking.unpark();
  } else if (pool.idle.any()) {
    int number = pool.idle.claim_lowest();
    if (number >= 0) pool.helpers[number].load(acquire)->parking.unpark();
  }
}

}  // namespace

void enqueue(Fiber& fiber) {
  if (Worker* home = fiber.home) {
    home->home_ready.store(&fiber, release);
    home->parking.unpark();
    return;
  }
  Worker& worker = *fiber.worker;
  // What must be known of the fiber once it is in the inbox, it may be running again.
  Group& group = *fiber.group.load(relaxed);
  if (worker.inbox.push(&fiber) != Pushed::Closed) {
    tell_about_ready_fiber(worker, group);
    return;
  }
  // That kernel thread has ended. The root is there as long as the fiber is.
  group.home->inbox.push(&fiber);
  tell_about_ready_fiber(*group.home, group);
}

void resume(Fiber& fiber) {
  uint32_t seen = fiber.state.load(relaxed);
  for (;;) {
    // Notified -> Notified is a write all the same: the waiter must see what was made true before
    // each of the notifications that it takes as one.
    uint32_t next = seen == kWaiting ? kRunning : kNotified;
    if (fiber.state.compare_exchange_weak(seen, next, acq_rel, relaxed)) break;
  }
  if (seen == kWaiting) {
    enqueue(fiber);
  } else if (seen == kParked) {
    futex_wake(fiber.state, 1);
  }
}

void suspend(Fiber& fiber) {
  if (fiber.take_notification()) return;
  Worker& worker = *fiber.worker;
  worker.pass_scheduling_point();
  if (kernel_provider || !leave(fiber, worker, next_own_fiber(worker))) park_in_place(fiber);
}

bool yield(Fiber& fiber) {
  Worker& worker = *fiber.worker;
  worker.pass_scheduling_point();
  if (kernel_provider || !has_any_work(worker) || on_signal_stack()) return false;
  // Every other time through the loop, which looks for unbegun threads first: a fiber that yields
  // to another one that yields must not keep a third from beginning.
  Fiber* next = (worker.next_random() & 1) != 0 ? next_own_fiber(worker) : nullptr;
  fiber.state.exchange(kNotified, acq_rel);  // so that arrive() finds it ready
  if (leave(fiber, worker, next)) return true;
  fiber.state.exchange(kRunning, acquire);
  return false;
}

void go_home(Fiber& fiber) {
  while (fiber.worker != fiber.home) {
    fiber.state.exchange(kNotified, acq_rel);
    if (!leave(fiber, *fiber.worker, nullptr)) {
      fiber.state.exchange(kRunning, acquire);
      cpu_pause();  // no memory for a stack: try again until there is, there is no other way home
    }
  }
}

}  // namespace bobbin
