// SPDX-License-Identifier: Apache-2.0
#include "sched/resting.h"

#include "sched/pool_state.h"

namespace bobbin {
namespace {

// With the lock held.
Resting* take_first() {
  Resting* first = pool.resting;
  if (first != nullptr) pool.resting = first->next;
  return first;
}

// The last root leaves the registry under this lock, and then has those end that rest. False: it
// has left.
bool lie_down(Resting& resting) {
  SpinGuard guard(pool.lock);
  if (all_roots() == 0) return false;
  resting.next = pool.resting;
  pool.resting = &resting;
  return true;
}

void call(Resting& resting, Worker* worker) {
  resting.worker = worker;
  resting.parking.unpark();
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
  return take_first();
}

void put_back_resting(Resting& resting) {
  if (!lie_down(resting)) call(resting, nullptr);
}

void wake_put_aside(Resting& resting, Worker& worker) { call(resting, &worker); }

bool wake_resting(Worker& worker) {
  Resting* resting = put_aside_resting();
  if (resting != nullptr) call(*resting, &worker);
  return resting != nullptr;
}

void end_resting() {
  while (Resting* resting = put_aside_resting()) call(*resting, nullptr);
}

}  // namespace bobbin
