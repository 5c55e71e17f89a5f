// SPDX-License-Identifier: Apache-2.0
#include "sched/monitor.h"
#include "sched/pool_state.h"
#include "sched/processor_changes.h"
#include "sched/together.h"

namespace bobbin {

namespace {

bool needs_workers_at_once(const Ticket& ticket, Worker& worker, uint64_t now) {
  if (!together.knows(ticket.code)) return false;
  const bool needed = enabled(Heuristic::Together) && together.needed(ticket.code, now);
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
