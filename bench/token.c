// SPDX-License-Identifier: Apache-2.0
// Threads pass a token by spinning on an atomic variable, with no OpenMP construct in the wait.
// Purely cooperative threads would never finish this.
#include <omp.h>
#include <stdatomic.h>

#include "common.h"

static const char kUsage[] = "token [threads=4] [handovers=400]\n";

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  int threads = (int)arg_number(argc, argv, "threads", 4);
  long handovers = (long)arg_number(argc, argv, "handovers", 400);
  handovers -= handovers % threads;
  atomic_long token = 0;
  long held = 0;

  omp_set_dynamic(0);
  double start = seconds();
#pragma omp parallel num_threads(threads) reduction(+ : held)
  {
    long me = omp_get_thread_num();
    // Otherwise the missing threads would hold the token for ever.
    if (me == 0) require(omp_get_num_threads() == threads, "every thread came");
    for (long turn = me; turn < handovers; turn += threads) {
      while (atomic_load_explicit(&token, memory_order_acquire) != turn) continue;
      held++;
      atomic_store_explicit(&token, turn + 1, memory_order_release);
    }
  }
  double took = seconds() - start;
  require(held == handovers, "every thread held the token in turn");
  print_metric("token_us", 1e6 * took / (double)handovers, "us");
  passed();
  return 0;
}
