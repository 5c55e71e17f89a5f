// SPDX-License-Identifier: Apache-2.0
// Nested parallelism: an outer team makes tasks, and each task opens an inner team that does
// nothing.
#include <omp.h>

#include "common.h"

static const char kUsage[] =
    "nested [outer=4] [tasks=16] [inner=32] [rounds=1] [seconds=0]\n"
    "With seconds > 0 the rounds are repeated until that time is over.\n";

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  int outer = (int)arg_number(argc, argv, "outer", 4);
  int tasks = (int)arg_number(argc, argv, "tasks", 16);
  int inner = (int)arg_number(argc, argv, "inner", 32);
  long rounds = (long)arg_number(argc, argv, "rounds", 1);
  double wanted = arg_number(argc, argv, "seconds", 0);
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);

  long regions = 0;
  long threads = 0;
  double start = seconds();
  for (long round = 0; round < rounds || seconds() - start < wanted; round++) {
#pragma omp parallel num_threads(outer)
#pragma omp single
    for (int t = 0; t < tasks; t++) {
#pragma omp task shared(regions, threads)
      {
        int size = 0;
#pragma omp parallel num_threads(inner)
        if (omp_get_thread_num() == 0) size = omp_get_num_threads();
#pragma omp atomic
        regions++;
#pragma omp atomic
        threads += size;
      }
    }
  }
  double took = seconds() - start;
  require(regions % tasks == 0 && regions > 0, "every inner region ran");
  require(threads == regions * inner, "every inner team had its size");
  print_metric("nested_us", 1e6 * took / (double)regions, "us");
  passed();
  return 0;
}
