// SPDX-License-Identifier: Apache-2.0
#include "sched/sleep/tuning_report.h"

#include <unistd.h>

#include <cstdlib>

#include "platform/diagnostics.h"
#include "sched/workers/pool_state.h"

namespace bobbin {
namespace {

struct Sum {
  uint64_t asked = 0;
  uint64_t yes = 0;
  uint64_t regretted = 0;

  void add(const HeuristicCounts::Counts& counts) {
    asked += counts.asked;
    yes += counts.yes;
    regretted += counts.regretted;
  }
};

pid_t counting_process;

// The records of ended kernel threads are unused, but keep what they have counted. Under the lock
// no record moves from one list to the other.
void add_all(Sum (&sums)[kHeuristics]) {
  auto add = [&](const Worker& worker) {
    for (unsigned i = 0; i < kHeuristics; i++) {
      sums[i].add(worker.counts.of(static_cast<Heuristic>(i)));
    }
    return false;
  };
  SpinGuard guard(pool.lock);
  pool.each(add);
  for (const Worker* worker = pool.unused; worker != nullptr; worker = worker->unused_next) {
    add(*worker);
  }
}

void report() {
  if (getpid() != counting_process) return;  // the child of a fork has lost most of the records
  Sum sums[kHeuristics];
  add_all(sums);
  char buffer[4096];
  TextOut out(buffer, sizeof buffer);
  out.add("bobbin: heuristic               asked          yes    regretted\n");
  for (unsigned i = 0; i < kHeuristics; i++) {
    const auto heuristic = static_cast<Heuristic>(i);
    const Sum& sum = sums[i];
    out.format("bobbin: %-16.*s %12llu %12llu %12llu%s\n",
               static_cast<int>(name_of(heuristic).size()), name_of(heuristic).data(),
               static_cast<unsigned long long>(sum.asked), static_cast<unsigned long long>(sum.yes),
               static_cast<unsigned long long>(sum.regretted), enabled(heuristic) ? "" : " (off)");
  }
  write_stderr(out.view());
}

}  // namespace

void report_heuristics_at_exit() {
  if (!global_icvs().count_heuristics) return;
  counting_process = getpid();
  atexit(report);
}

}  // namespace bobbin
