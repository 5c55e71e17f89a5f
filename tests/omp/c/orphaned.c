/* SPDX-License-Identifier: Apache-2.0
 * Orphaned constructs in functions that are called from a region, from a region of one thread, and
 * from no region at all, where each must behave as in a team of one. */
#include "check.h"

enum { kCount = 64 };
static int hits[kCount], ran;

static int number;
#pragma omp threadprivate(number)

static void loops(void) {
#pragma omp for schedule(static)
  for (int i = 0; i < kCount; i++) add_one(&hits[i]);
#pragma omp for schedule(dynamic, 3)
  for (int i = 0; i < kCount; i++) add_one(&hits[i]);
#pragma omp for schedule(guided) nowait
  for (unsigned long long i = 0; i < kCount; i++) add_one(&hits[i]);
#pragma omp for schedule(runtime)
  for (long i = kCount - 1; i >= 0; i--) add_one(&hits[i]);
#pragma omp for ordered schedule(dynamic)
  for (int i = 0; i < kCount; i++) {
#pragma omp ordered
    add_one(&hits[i]);
  }
#pragma omp for ordered(1) schedule(dynamic)
  for (int i = 0; i < kCount; i++) {
#pragma omp ordered depend(sink : i - 1)
    add_one(&hits[i]);
#pragma omp ordered depend(source)
  }
}

static void others(void) {
  static int sum;
  int copied = 0;
#pragma omp sections
  {
#pragma omp section
    add_one(&ran);
#pragma omp section
    add_one(&ran);
  }
#pragma omp single
  add_one(&ran);
#pragma omp single copyprivate(copied)
  copied = 17;
  CHECK_EQ(copied, 17);
#pragma omp single
  sum = 0;
#pragma omp for reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum += i;
  CHECK_EQ(sum, 45);
#pragma omp barrier
#pragma omp master
  add_one(&ran);
#pragma omp critical
  number = omp_get_thread_num();
#pragma omp barrier
  CHECK_EQ(number, omp_get_thread_num());
#pragma omp flush
#pragma omp taskgroup
  {
#pragma omp task
    number += 0;
  }
#pragma omp task
  number += 0;
#pragma omp taskwait
#pragma omp barrier
}

static void expect(int times) {
  for (int i = 0; i < kCount; i++) CHECK_EQ(hits[i], 6 * times);
  CHECK_EQ(ran, 4 * times);
  memset(hits, 0, sizeof hits);
  ran = 0;
}

static void in_a_region(void) {
#pragma omp parallel
  {
    loops();
    others();
  }
  expect(1);
}

static void in_no_region(void) {
  for (int round = 0; round < 3; round++) {
    loops();
    others();
  }
  expect(3);
}

static void in_a_region_of_one(void) {
#pragma omp parallel num_threads(1)
  {
    loops();
    others();
  }
#pragma omp parallel if (0)
  {
    loops();
    others();
  }
  expect(2);
}

/* Serial constructs between regions and inside serialised inner regions. */
static void alternating(void) {
  omp_set_max_active_levels(1);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    {
      loops();
      others();
    }
    loops();
    others();
  }
  expect(6);
  int inner = 0;
#pragma omp parallel num_threads(min_int(omp_get_max_threads(), 4)) shared(inner)
  {
    if (omp_get_num_threads() > 1) {
#pragma omp parallel
      {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 10; i++) add_one(&inner);
#pragma omp single
        add_one(&inner);
#pragma omp barrier
#pragma omp task
        add_one(&inner);
      }
    }
  }
  int outer = min_int(omp_get_max_threads(), 4);
  CHECK_EQ(inner, outer > 1 ? 12 * outer : 0);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_schedule(omp_sched_dynamic, 2);
  RUN(in_no_region);
  RUN(in_a_region);
  RUN(in_a_region_of_one);
  RUN(alternating);
  return check_end();
}
