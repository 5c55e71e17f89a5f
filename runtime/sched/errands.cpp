// SPDX-License-Identifier: Apache-2.0
#include "sched/errands.h"

#include <utility>

#include "platform/atomic.h"

namespace bobbin {
namespace {

Atomic<Fiber*> errands{nullptr};

void push(Fiber& fiber) {
  PendingSignals& noted = *fiber.signals.load(relaxed);
  Fiber* first = errands.load(relaxed);
  do {
    noted.next_listed = first;
  } while (!errands.compare_exchange_weak(first, &fiber, acq_rel, relaxed));
}

// Goes back on the list, or comes off it. True: it has gone back.
bool put_back(Fiber& fiber) {
  if (!has_signals(fiber)) {
    fiber.signals.load(relaxed)->listed.exchange(false, seq_cst);
    if (!has_signals(fiber) || fiber.signals.load(relaxed)->listed.exchange(true, seq_cst)) {
      return false;
    }
  }
  push(fiber);
  return true;
}

Fiber* take_all() { return errands.exchange(nullptr, acq_rel); }

}  // namespace

bool has_signals(const Fiber& fiber) {
  const PendingSignals* noted = fiber.signals.load(acquire);
  return noted != nullptr && noted->any_of(~fiber.blocked);
}

void list_errand(Fiber& fiber) {
  if (!fiber.signals.load(relaxed)->listed.exchange(true, seq_cst)) push(fiber);
}

bool errands_wait() { return errands.load(relaxed) != nullptr; }

unsigned sort_errands() {
  unsigned left = 0;
  for (Fiber* fiber = take_all(); fiber != nullptr;) {
    Fiber* next = fiber->signals.load(relaxed)->next_listed;
    if (put_back(*fiber)) left++;
    fiber = next;
  }
  return left;
}

void do_errand(Worker& worker) {
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

void forget_errands() {
  for (Fiber* fiber = take_all(); fiber != nullptr;) {
    PendingSignals& noted = *fiber->signals.load(relaxed);
    fiber = noted.next_listed;
    noted.listed.store(false, relaxed);
  }
}

}  // namespace bobbin
