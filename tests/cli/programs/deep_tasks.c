// SPDX-License-Identifier: Apache-2.0
// A deep and thin tree: each task makes one that goes on with the chain, and some leaves, and
// waits.
#include <stdio.h>
#include <stdlib.h>
static long total;
static void leaf(void) {
#pragma omp atomic
  total++;
}
static void node(int depth) {
  if (depth == 0) return;
#pragma omp task untied
  node(depth - 1);
  for (int i = 0; i < 7; i++) {
#pragma omp task untied
    leaf();
  }
#pragma omp taskwait
}
int main(int argc, char** argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 1000;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) node(depth);
  printf("%ld\n", total);
  return total != 140L * depth;
}
