// SPDX-License-Identifier: Apache-2.0
#include "sched/monitor/unhandled_signals.h"

#include <utility>

#include "fiber/pending_signals.h"
#include "platform/atomic.h"
#include "sched/workers/nudge.h"
#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

Atomic<Fiber*> listed_fibers{nullptr};
Atomic<bool> left_in_kernel{false};

void nudge_for_left_signals() {
  if (!left_in_kernel.load(relaxed) || !left_in_kernel.exchange(false, seq_cst)) return;
  pool.each([](Worker& worker) {
    if (worker.active.load(relaxed)) nudge_carried(worker);
    return false;
  });
}

void push(Fiber& fiber) {
  PendingSignals& noted = *fiber.signals.load(relaxed);
  Fiber* first = listed_fibers.load(relaxed);
  do {
    noted.next_listed = first;
  } while (!listed_fibers.compare_exchange_weak(first, &fiber, acq_rel, relaxed));
}

// Puts the fiber back on the list, or drops it. True: it is on the list again.
bool put_back(Fiber& fiber) {
  if (!fiber.has_signals()) {
    fiber.signals.load(relaxed)->listed.exchange(false, seq_cst);
    if (!fiber.has_signals() || fiber.signals.load(relaxed)->listed.exchange(true, seq_cst)) {
      return false;
    }
  }
  push(fiber);
  return true;
}

Fiber* take_all() { return listed_fibers.exchange(nullptr, acq_rel); }

}  // namespace

void list_unhandled(Fiber& fiber) {
  if (!fiber.signals.load(relaxed)->listed.exchange(true, seq_cst)) push(fiber);
}

void list_left_signal() { left_in_kernel.store(true, seq_cst); }

bool any_unhandled() { return listed_fibers.load(relaxed) != nullptr; }

UnhandledSignals sort_unhandled() {
  nudge_for_left_signals();
  UnhandledSignals left;
  for (Fiber* fiber = take_all(); fiber != nullptr;) {
    Fiber* next = fiber->signals.load(relaxed)->next_listed;
    if (put_back(*fiber)) {
      left.any = true;
      if (fiber->stack != nullptr) left.visits++;  // it is no root
      nudge_for_signals(*fiber);
    }
    fiber = next;
  }
  return left;
}

void handle_listed(Worker& worker) {
  Fiber* mine = take_all();
  if (mine == nullptr) return;
  for (Fiber* other = mine->signals.load(relaxed)->next_listed; other != nullptr;) {
    Fiber* next = other->signals.load(relaxed)->next_listed;
    put_back(*other);
    other = next;
  }
  visit(*mine, worker);
  put_back(*mine);
}

void forget_unhandled() {
  for (Fiber* fiber = take_all(); fiber != nullptr;) {
    PendingSignals& noted = *fiber->signals.load(relaxed);
    fiber = noted.next_listed;
    noted.listed.store(false, relaxed);
  }
}

}  // namespace bobbin
