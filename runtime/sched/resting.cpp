// SPDX-License-Identifier: Apache-2.0
#include "sched/resting.h"

#include "sched/pool_state.h"

namespace bobbin {
namespace {

// The last root leaves the registry under this lock, and then has those end that rest. False: it
// has left.
bool lie_down(Resting& resting) {
  SpinGuard guard(pool.lock);
  if (all_roots() == 0) return false;
  resting.next = pool.resting;
  pool.resting = &resting;
  return true;
}

}  // namespace

Worker* rest(Resting& self) {
  if (!lie_down(self)) return nullptr;
  while (!self.parking.park()) {
  }
  return self.worker;
}

Resting* put_aside_resting() {
  SpinGuard guard(pool.lock);
  Resting* first = pool.resting;
  if (first != nullptr) pool.resting = first->next;
  return first;
}

void put_back_resting(Resting& resting) {
  if (!lie_down(resting)) wake_put_aside(resting, nullptr);
}

void wake_put_aside(Resting& resting, Worker* worker) {
  resting.worker = worker;
  resting.parking.unpark();
}

bool wake_resting(Worker& worker) {
  Resting* resting = put_aside_resting();
  if (resting != nullptr) wake_put_aside(*resting, &worker);
  return resting != nullptr;
}

void end_resting() {
  while (Resting* resting = put_aside_resting()) wake_put_aside(*resting, nullptr);
}

}  // namespace bobbin
