// SPDX-License-Identifier: Apache-2.0
#include "sched/resting.h"

#include "sched/park.h"
#include "sched/pool_state.h"

namespace bobbin {

// On the stack of who rests, until that is called.
struct Resting {
  Parking parking;
  Worker* worker = nullptr;
  Resting* next = nullptr;
};

namespace {

void call_first(Worker* worker) {
  Resting* first = pool.resting;
  pool.resting = first->next;
  first->worker = worker;
  first->parking.unpark();
}

}  // namespace

Worker* rest() {
  Resting self;
  {
    // The last root leaves the registry under this lock, and then has those end that rest.
    SpinGuard guard(pool.lock);
    if (all_roots() == 0) return nullptr;
    self.next = pool.resting;
    pool.resting = &self;
  }
  while (!self.parking.park()) {
  }
  // Who called it may be about to leave the record.
  SpinGuard guard(pool.lock);
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
