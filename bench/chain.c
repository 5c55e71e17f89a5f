// SPDX-License-Identifier: Apache-2.0
// Chains of dependent tasks, submitted breadth first: the first task of every chain, then the
// second task of every chain, and so on.
#include <omp.h>

#include "common.h"

static const char kUsage[] = "chain [tasks=1000000] [addresses=1]\n";

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long tasks = (long)arg_number(argc, argv, "tasks", 1000000);
  long addresses = (long)arg_number(argc, argv, "addresses", 1);
  long* x = calloc((size_t)addresses, sizeof *x);
  require(x != NULL, "memory for the chains");

  double start = seconds();
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < tasks; i++) {
    long* link = &x[i % addresses];
    long step = i / addresses;
    // This is right only when every earlier task in its chain has ended.
#pragma omp task depend(inout : link[0]) firstprivate(link, step)
    *link = *link == step ? step + 1 : -1;
  }
  double took = seconds() - start;
  long right = 0;
  for (long k = 0; k < addresses; k++) right += x[k] == tasks / addresses + (k < tasks % addresses);
  require(right == addresses, "every chain ran in order");
  free(x);
  print_metric("task_ns", 1e9 * took / (double)tasks, "ns");
  passed();
  return 0;
}
