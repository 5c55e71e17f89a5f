// SPDX-License-Identifier: Apache-2.0
// taskloop with grainsize(1): one task per iteration, if the runtime makes them.
#include <omp.h>

#include "common.h"

static const char kUsage[] = "taskloop [iterations=20000] [turns=5000]\n";

enum { kMostThreads = 1024, kLine = 16 };

static long counts[kMostThreads * kLine];

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long iterations = (long)arg_number(argc, argv, "iterations", 20000);
  long turns = (long)arg_number(argc, argv, "turns", 5000);
  require(omp_get_max_threads() <= kMostThreads, "at most 1024 threads");

  double start = seconds();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (long i = 0; i < iterations; i++) {
    work_turns(turns);
    counts[omp_get_thread_num() * kLine]++;
  }
  double took = seconds() - start;
  long sum = 0;
  for (int i = 0; i < kMostThreads; i++) sum += counts[i * kLine];
  require(sum == iterations, "every iteration ran once");
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("iteration_ns", 1e9 * took / (double)iterations, "ns");
  passed();
  return 0;
}
