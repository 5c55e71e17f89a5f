// SPDX-License-Identifier: Apache-2.0
#include "sched/monitor/gang_regions.h"

#include "platform/processors/load.h"
#include "sched/roots/standby.h"
#include "sched/workers/pool_state.h"
#include "sched/workers/spare_transit.h"

namespace bobbin {
namespace {

// After that time a region has to show again that it needs them, which costs it some milliseconds.
constexpr uint64_t kHoldsUs = 1'000'000;

bool send_standby() {
  StandBy* standby = claim_standby();
  if (standby == nullptr) return false;
  Worker* worker = register_worker(WorkerKind::Spare);
  if (worker == nullptr) {
    put_back_standby(*standby);
    return false;
  }
  worker->active.store(true, relaxed);
  spare_sets_out();
  wake_claimed(*standby, worker);
  return true;
}

}  // namespace

void note_if_it_sleeps(Worker& worker) {
  if (worker.tickets.find_outermost(wants_worker) == nullptr) return;
  if (!kernel_thread_sleeps(worker.kernel_thread)) return;
  const uint64_t now = ticks();
  worker.tickets.find_outermost([now](const Ticket& ticket) {
    if (wants_worker(ticket)) gang_regions.note(ticket.code, now, kHoldsUs * ticks_per_us());
    return false;
  });
}

void send_workers(Ticket& ticket, unsigned wanted) {
  while (wanted != 0 && (force_helper(&ticket, -1) || send_standby())) wanted--;
}

}  // namespace bobbin
