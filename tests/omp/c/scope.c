/* SPDX-License-Identifier: Apache-2.0
 * scope: all threads run the block, reductions over it, private, nowait; and the loop construct. */
#include "check.h"

static void all_threads(void) {
  int n = omp_get_max_threads(), ran = 0, sum = 5, scratch = 9;
#pragma omp parallel
  {
    for (int round = 1; round <= 5; round++) {
#pragma omp scope private(scratch)
      {
        scratch = omp_get_thread_num();
        add_one(&ran);
        CHECK_EQ(scratch, omp_get_thread_num());
      }
      CHECK(load(&ran) >= n * round);
    }
#pragma omp scope reduction(+ : sum)
    sum += omp_get_thread_num() + 1;
    CHECK_EQ(sum, 5 + n * (n + 1) / 2);
  }
  CHECK_EQ(ran, 5 * n);
  CHECK_EQ(scratch, 9);
}

static void nowait(void) {
  int n = omp_get_max_threads(), least = 1000, ran = 0;
#pragma omp parallel
  {
#pragma omp scope nowait reduction(min : least)
    {
      least = omp_get_thread_num() + 3;
      add_one(&ran);
    }
#pragma omp scope nowait
    add_one(&ran);
#pragma omp barrier
    CHECK_EQ(least, 3);
  }
  CHECK_EQ(ran, 2 * n);
}

static void with_worksharing_inside(void) {
  int sum = 0, count = 0;
#pragma omp parallel
  {
#pragma omp scope reduction(+ : sum)
    {
#pragma omp for nowait schedule(dynamic)
      for (int i = 0; i < 100; i++) sum += i;
#pragma omp single nowait
      sum += 1000;
#pragma omp critical
      count++;
    }
    CHECK_EQ(sum, 5950);
  }
  CHECK_EQ(count, omp_get_max_threads());
}

static void alone(void) {
  static int sum;
#pragma omp scope reduction(+ : sum)
  sum += 4;
  CHECK_EQ(sum, 4);
}

int main(void) {
  CHECK_BEGIN();
  RUN(all_threads);
  RUN(nowait);
  RUN(with_worksharing_inside);
  RUN(alone);
  return check_end();
}
