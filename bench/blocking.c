// SPDX-License-Identifier: Apache-2.0
// Loops whose iterations block in the kernel, where the runtime does not see it.
#include <omp.h>
#include <poll.h>

#include "common.h"

static const char kUsage[] = "blocking [regions=50] [iterations=16] [ms=1]\n";

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long regions = (long)arg_number(argc, argv, "regions", 50);
  long iterations = (long)arg_number(argc, argv, "iterations", 16);
  int ms = (int)arg_number(argc, argv, "ms", 1);
  require(regions > 0, "a region");
  long waited = 0;
  double start = seconds();
  for (long region = 0; region < regions; region++) {
#pragma omp parallel for schedule(dynamic) reduction(+ : waited)
    for (long i = 0; i < iterations; i++) waited += poll(NULL, 0, ms) == 0;
  }
  double took = seconds() - start;
  require(waited == regions * iterations, "every iteration waited");
  print_metric("region_ms", 1e3 * took / (double)regions, "ms");
  passed();
  return 0;
}
