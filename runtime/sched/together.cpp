// SPDX-License-Identifier: Apache-2.0
#include "sched/together.h"

#include "platform/clock.h"
#include "platform/load.h"
#include "sched/ticket_board.h"
#include "sched/worker.h"

namespace bobbin {
namespace {

// After that a region has to show anew that it needs them: it costs it some milliseconds.
constexpr uint64_t kHoldsUs = 1'000'000;

constexpr uint64_t kLongRunNs = 2'000'000;

void note_regions(Worker& worker) {
  const uint64_t now = ticks();
  worker.tickets.find([now](const Ticket& ticket) {
    if (wants_worker(ticket)) together.note(ticket.code, now, kHoldsUs * ticks_per_us());
    return false;
  });
}

}  // namespace

bool sleeps_with_threads_unbegun(Worker& worker, bool still) {
  if (worker.tickets.find(wants_worker) == nullptr) return false;
  const pid_t kernel_thread = worker.kernel_thread;
  const bool sleeps = kernel_thread_sleeps(kernel_thread);
  const uint64_t cpu_ns = kernel_thread_cpu_ns(kernel_thread);
  if (!still) {
    worker.cpu_when_seen = cpu_ns;
  } else if (sleeps || cpu_ns - worker.cpu_when_seen > kLongRunNs) {
    note_regions(worker);
  }
  return sleeps;
}

}  // namespace bobbin
