/* SPDX-License-Identifier: Apache-2.0
 * No thread gets an iteration of a dynamic loop that comes before one that it had. libgomp and
 * Bobbin always distribute iterations like that, libomp only on demand. */
#include "check.h"

enum { kIterations = 2000 };

/* Threads with little work take iterations from threads with much work, from the front. */
static void one_iteration(int i, int* last) {
  CHECK(i > *last);
  *last = i;
  if (i < kIterations / 8)
    for (volatile int turn = 0; turn < 2000; turn++) {
    }
}

static void ascending(void) {
#pragma omp parallel
  {
    int last = -1;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < kIterations; i++) one_iteration(i, &last);
    last = -1;
#pragma omp for schedule(nonmonotonic : dynamic, 3)
    for (int i = 0; i < kIterations; i++) one_iteration(i, &last);
  }
}

int main(void) {
  CHECK_BEGIN();
  for (int round = repeats(20); round > 0; round--) RUN(ascending);
  return check_end();
}
