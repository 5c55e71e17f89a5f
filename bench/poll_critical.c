// SPDX-License-Identifier: Apache-2.0
// Threads that wait for each other by polling inside critical.
#include <omp.h>

#include "common.h"

static const char kUsage[] = "poll_critical [handovers=1000] [work=0]\n";

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long handovers = (long)arg_number(argc, argv, "handovers", 1000);
  long turns = (long)(arg_number(argc, argv, "work", 0) * turns_per_us());
  int threads = omp_get_max_threads();
  handovers -= handovers % threads;
  long token = 0, held = 0;
  omp_set_dynamic(0);
  double start = seconds();
#pragma omp parallel reduction(+ : held)
  {
    long me = omp_get_thread_num();
    if (me == 0) require(omp_get_num_threads() == threads, "every thread came");
    for (long turn = me; turn < handovers; turn += threads) {
      for (int mine = 0; !mine;) {
#pragma omp critical
        mine = token == turn;
      }
      work_turns(turns);
      held++;
#pragma omp critical
      token++;
    }
  }
  double took = seconds() - start;
  require(held == handovers, "every thread held the token in turn");
  print_metric("handover_us", 1e6 * took / (double)handovers, "us");
  passed();
  return 0;
}
