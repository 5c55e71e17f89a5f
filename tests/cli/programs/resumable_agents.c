// SPDX-License-Identifier: Apache-2.0
// A resumable task waits for tasks whose last one a free agent may end. Prints 300.
#include <stdio.h>
static int met, rounds, ended;
static int load(int* from) {
  int value;
#pragma omp atomic read
  value = *from;
  return value;
}
/* Two threads execute these tasks at the same time. */
static void meet(int round) {
#pragma omp atomic
  met++;
  while (load(&met) < 2 * round + 1) {
  }
}
static void make(void) {
#pragma omp task untied
  meet(0);
  for (int round = 1; round <= 300; round++) {
    for (int i = 0; i < 2; i++)
#pragma omp task untied threadset(omp_pool) firstprivate(round)
      meet(round);
#pragma omp taskwait
    rounds++;
  }
#pragma omp atomic write
  ended = 1;
}
int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
#pragma omp task untied
    make();
#pragma omp masked
    while (!load(&ended)) {
    }
  }
  printf("%d\n", rounds);
}
