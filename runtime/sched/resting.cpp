// SPDX-License-Identifier: Apache-2.0
#include "sched/resting.h"

#include "sched/park.h"
#include "sched/pool_state.h"

namespace bobbin {

// On the stack of who rests: it may go as soon as `called` is true and the lock is free.
struct Resting {
  Parking parking;
  bool called = false;
  Worker* worker = nullptr;
  Resting* next = nullptr;
};

namespace {

constexpr uint64_t kRestNs = 20'000'000;

void call_first(Worker* worker) {
  Resting* first = pool.resting;
  pool.resting = first->next;
  first->called = true;
  first->worker = worker;
  first->parking.unpark();
}

void strike_out(const Resting& gone) {
  Resting** at = &pool.resting;
  while (*at != &gone) at = &(*at)->next;
  *at = gone.next;
}

}  // namespace

Worker* rest() {
  Resting self;
  {
    SpinGuard guard(pool.lock);
    self.next = pool.resting;
    pool.resting = &self;
  }
  self.parking.park(kRestNs);
  SpinGuard guard(pool.lock);
  if (!self.called) strike_out(self);
  return self.worker;
}

bool wake_resting(Worker& worker) {
  SpinGuard guard(pool.lock);
  if (pool.resting == nullptr) return false;
  call_first(&worker);
  return true;
}

void end_resting() {
  SpinGuard guard(pool.lock);
  while (pool.resting != nullptr) call_first(nullptr);
}

}  // namespace bobbin
