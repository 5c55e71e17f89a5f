// SPDX-License-Identifier: Apache-2.0
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"
#include "task/modes/continuation_stealing.h"

namespace bobbin {

constinit Continuation* newest_continuation = nullptr;

namespace {

// Each stack holds a mapping and its guard. A process has 65,530 mappings on Linux.
constexpr unsigned kMostStacks = 2048;
constexpr unsigned kKeptByThread = 16;

SpinLock continuations_lock;
Continuation* unused_continuations;  // guarded by continuations_lock
unsigned continuations_made;         // likewise

Continuation* make_continuation() {
  Stack* stack = take_stack();
  if (stack == nullptr) return nullptr;
  auto* continuation = make_lasting<Continuation>();
  if (continuation == nullptr) {
    give_stack(stack);
    return nullptr;
  }
  continuation->stack = stack;
  continuation->limit = stack->reserve();
  SpinGuard guard(continuations_lock);
  continuation->made_before = newest_continuation;
  newest_continuation = continuation;
  return continuation;
}

[[gnu::noinline]] Continuation* take_unused_continuation() {
  {
    SpinGuard guard(continuations_lock);
    if (Continuation* continuation = unused_continuations) {
      unused_continuations = continuation->next;
      return continuation;
    }
    if (continuations_made == kMostStacks) return nullptr;
    continuations_made++;
  }
  Continuation* continuation = make_continuation();
  if (continuation == nullptr) {
    SpinGuard guard(continuations_lock);
    continuations_made--;
  }
  return continuation;
}

}  // namespace

Continuation* take_continuation(Thread& thread) {
  Continuation* continuation = thread.free_continuations;
  if (continuation == nullptr) [[unlikely]]
    return take_unused_continuation();
  thread.free_continuations = continuation->next;
  thread.free_continuation_count--;
  return continuation;
}

void init_continuations() { add_fork_lock(held_across_fork<continuations_lock>); }

void give_continuation(Thread& thread, Continuation& continuation) {
  if (thread.free_continuation_count < kKeptByThread) [[likely]] {
    continuation.next = thread.free_continuations;
    thread.free_continuations = &continuation;
    thread.free_continuation_count++;
    return;
  }
  SpinGuard guard(continuations_lock);
  continuation.next = unused_continuations;
  unused_continuations = &continuation;
}

}  // namespace bobbin
