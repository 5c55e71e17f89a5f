// SPDX-License-Identifier: Apache-2.0
#include "task/modes/blocking/timed_block.h"

#include "platform/clocks/clock.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/futex.h"
#include "platform/locks/spinlock.h"
#include "platform/signals/detached_thread.h"
#include "sched/workers/pool.h"
#include "task/modes/blocking/blocking.h"

namespace bobbin {
namespace {

struct Sleeper {
  uint64_t until;
  Sleeper* next = nullptr;
  Blocker blocker{};
};

constinit SpinLock lock;
// Guarded by the lock: those that sleep, the first to wake first, and whether the thread exists.
constinit Sleeper* sleepers = nullptr;
constinit bool running = false;
// Changes when another one becomes the first.
constinit Atomic<uint32_t> changes{0};

Sleeper** place_of(uint64_t until) {
  Sleeper** link = &sleepers;
  while (*link != nullptr && (*link)->until <= until) link = &(*link)->next;
  return link;
}

uint64_t later(uint64_t now, uint64_t ns) { return ns < ~now ? now + ns : ~uint64_t{0}; }

// Takes off those whose time has come.
Sleeper* take_due(uint64_t now) {
  Sleeper* due = sleepers;
  Sleeper** end = &sleepers;
  while (*end != nullptr && (*end)->until <= now) end = &(*end)->next;
  if (end == &sleepers) return nullptr;
  sleepers = *end;
  *end = nullptr;
  return due;
}

void wake_sleepers() {
  for (;;) {
    Sleeper* due;
    uint64_t wait = 0;
    uint32_t seen;
    {
      const SpinGuard guard(lock);
      const uint64_t now = now_ns();
      seen = changes.load(relaxed);
      due = take_due(now);
      if (sleepers != nullptr) {
        wait = sleepers->until - now;
      } else {
        running = false;
      }
    }
    while (due != nullptr) {
      Sleeper* next = due->next;
      unblock(due->blocker);
      due = next;
    }
    if (wait == 0) return;
    futex_wait(changes, seen, wait);
  }
}

void* timer_main(void* /*unused*/) {
  use_least_timer_slack();
  wake_sleepers();
  return nullptr;
}

// Those that sleep are threads that the child does not have.
void forget_all() {
  sleepers = nullptr;
  running = false;
}

}  // namespace

void init_timed_blocks() { add_fork_lock(held_across_fork<lock, forget_all>); }

void block_for(Thread& thread, uint64_t ns) {
  Sleeper sleeper{.until = later(now_ns(), ns)};
  bool first;
  bool start;
  {
    const SpinGuard guard(lock);
    Sleeper** place = place_of(sleeper.until);
    first = place == &sleepers;
    sleeper.next = *place;
    *place = &sleeper;
    start = !running;
    running = true;
    if (first) changes.fetch_add(1, relaxed);
  }
  if (start) {
    // If no kernel thread can be had, this one does its work first.
    if (!start_without_signals(timer_main, nullptr, native_stack_size())) wake_sleepers();
  } else if (first) {
    futex_wake(changes, 1);
  }
  block(thread, sleeper.blocker);
}

void sleep_for(uint64_t ns) {
  Atomic<uint32_t> nobody{0};
  const uint64_t until = later(now_ns(), ns);
  for (uint64_t now = now_ns(); now < until; now = now_ns()) futex_wait(nobody, 0, until - now);
}

}  // namespace bobbin
