/* SPDX-License-Identifier: Apache-2.0
 * sections: each runs once, whether there are more or fewer of them than threads; data clauses;
 * nowait; combined with parallel; directly followed by others. */
#include <sched.h>

#include "check.h"

static int ran[16];

static void mark(int i) { add_one(&ran[i]); }

static void expect(int count, int times) {
  for (int i = 0; i < 16; i++) CHECK_EQ(ran[i], i < count ? times : 0);
  memset(ran, 0, sizeof ran);
}

static void combined(void) {
#pragma omp parallel sections
  {
    mark(0);
#pragma omp section
    mark(1);
#pragma omp section
    mark(2);
#pragma omp section
    mark(3);
#pragma omp section
    mark(4);
#pragma omp section
    mark(5);
#pragma omp section
    mark(6);
  }
  expect(7, 1);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    mark(0);
  }
  expect(1, 1);
}

static void in_team(void) {
#pragma omp parallel
  for (int round = 0; round < 12; round++) {
#pragma omp sections
    {
#pragma omp section
      mark(0);
#pragma omp section
      mark(1);
#pragma omp section
      mark(2);
    }
    /* The implied barrier: all three are done in every thread. */
    for (int i = 0; i < 3; i++) CHECK(load(&ran[i]) >= round + 1);
  }
  expect(3, 12);
}

static void nowait(void) {
#pragma omp parallel
  for (int round = 0; round < 20; round++) {
#pragma omp sections nowait
    {
#pragma omp section
      mark(0);
#pragma omp section
      mark(1);
    }
  }
  expect(2, 20);
}

static void data(void) {
  int first = 5, last = 0, both = 100, scratch = -1;
#pragma omp parallel
  {
#pragma omp sections firstprivate(first) lastprivate(last) firstprivate(both) \
    lastprivate(both) private(scratch)
    {
#pragma omp section
      {
        CHECK_EQ(first, 5);
        first = 9;
        last = 1;
        scratch = 1;
        both += scratch;
      }
#pragma omp section
      {
        CHECK(first == 5 || first == 9);
        last = 2;
        both = 102;
      }
#pragma omp section
      {
        last = 3;
        both = 103;
      }
    }
    CHECK_EQ(last, 3);
    CHECK_EQ(both, 103);
  }
  CHECK_EQ(first, 5);
  CHECK_EQ(scratch, -1);
}

/* Sections that wait for each other: with at least two threads both must run at the same time. */
static void concurrent(void) {
  int n = omp_get_max_threads(), left = 0, right = 0;
  if (n < 2) return;
#pragma omp parallel sections shared(left, right)
  {
#pragma omp section
    {
      store(&left, 1);
      while (!load(&right)) {
#pragma omp taskyield
        sched_yield();
      }
    }
#pragma omp section
    {
      store(&right, 1);
      while (!load(&left)) {
#pragma omp taskyield
        sched_yield();
      }
    }
  }
  CHECK(left && right);
}

static void nested(void) {
  int outer = min_int(omp_get_max_threads(), 4);
  omp_set_max_active_levels(2);
#pragma omp parallel sections num_threads(outer)
  {
#pragma omp section
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
      mark(0);
#pragma omp section
      mark(1);
    }
#pragma omp section
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
      mark(2);
#pragma omp section
      mark(3);
    }
  }
  expect(4, 1);
}

int main(void) {
  CHECK_BEGIN();
  RUN(combined);
  RUN(in_team);
  RUN(nowait);
  RUN(data);
  RUN(concurrent);
  RUN(nested);
  return check_end();
}
