// SPDX-License-Identifier: Apache-2.0
// One thread makes all the tasks, the others can only take them.
#include <omp.h>

#include "common.h"

static const char kUsage[] = "producer [tasks=1600000] [turns=64]\n";

enum { kMostThreads = 1024, kLine = 16 };

static long counts[kMostThreads * kLine];

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long tasks = (long)arg_number(argc, argv, "tasks", 1600000);
  long turns = (long)arg_number(argc, argv, "turns", 64);
  require(omp_get_max_threads() <= kMostThreads, "at most 1024 threads");

  double start = seconds();
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < tasks; i++) {
#pragma omp task firstprivate(turns)
    {
      work_turns(turns);
      counts[omp_get_thread_num() * kLine]++;
    }
  }
  double took = seconds() - start;
  long sum = 0;
  for (int i = 0; i < kMostThreads; i++) sum += counts[i * kLine];
  require(sum == tasks, "every task ran once");
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("rate_mtasks", 1e-6 * (double)tasks / took, "Mtasks/s");
  passed();
  return 0;
}
