// SPDX-License-Identifier: Apache-2.0
#include "sched/monitor/gang_regions.h"
#include "sched/monitor/monitor.h"
#include "sched/places/processor_changes.h"
#include "sched/workers/pool_state.h"

namespace bobbin {

namespace {

bool needs_workers_at_once(const Ticket& ticket, Worker& worker, uint64_t now) {
  if (!gang_regions.knows(ticket.code)) return false;
  const bool needed = enabled(Heuristic::Together) && gang_regions.needed(ticket.code, now);
  worker.counts.ask(Heuristic::Together, needed);
  return needed;
}

}  // namespace

// The tickets of teams that were forked.

void publish(Ticket& ticket, Worker& worker, unsigned wanted) {
  worker.tickets.show(ticket);
  watch_for_stuck_workers();
  if (wanted == 0) return;
  const uint64_t now = ticks();
  follow_processors(now);
  if (needs_workers_at_once(ticket, worker, now)) {
    send_workers(ticket, wanted);
  } else if (pool.most_helpers != 0) {
    wake_at_fork(ticket, worker, now);
  }
}

void withdraw(Ticket& ticket, Worker& worker) {
  OpenTeams::remove(ticket);
  if (ticket.begun_at != 0) learn_length(ticket, worker);
}

}  // namespace bobbin
