// SPDX-License-Identifier: Apache-2.0
#include "sched/roots/standby.h"

#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

// The last root leaves the registry under this lock, and then ends all kernel threads that stand
// by. False: it has left.
bool lie_down(StandBy& standby) {
  SpinGuard guard(pool.lock);
  if (all_roots() == 0) return false;
  standby.next = pool.standby;
  pool.standby = &standby;
  return true;
}

}  // namespace

Worker* stand_by(StandBy& self) {
  if (!lie_down(self)) return nullptr;
  while (!self.parking.park()) {
  }
  return self.worker;
}

StandBy* claim_standby() {
  SpinGuard guard(pool.lock);
  StandBy* first = pool.standby;
  if (first != nullptr) pool.standby = first->next;
  return first;
}

void put_back_standby(StandBy& standby) {
  if (!lie_down(standby)) wake_claimed(standby, nullptr);
}

void wake_claimed(StandBy& standby, Worker* worker) {
  standby.worker = worker;
  standby.parking.unpark();
}

bool wake_standby(Worker& worker) {
  StandBy* standby = claim_standby();
  if (standby != nullptr) wake_claimed(*standby, &worker);
  return standby != nullptr;
}

void end_standby() {
  while (StandBy* standby = claim_standby()) wake_claimed(*standby, nullptr);
}

}  // namespace bobbin
