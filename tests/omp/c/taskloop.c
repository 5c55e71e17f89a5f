/* SPDX-License-Identifier: Apache-2.0
 * taskloop: every iteration once, the number and size of the tasks, and the clauses. */
#include <limits.h>

#include "check.h"

enum { kMost = 1000 };
static int hits[kMost];
static int tasks;

static void reset(void) {
  memset(hits, 0, sizeof hits);
  tasks = 0;
}

static void expect(int count) {
  for (int i = 0; i < kMost; i++) CHECK_EQ(hits[i], i < count);
}

static void plain(void) {
  reset();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (int i = 0; i < 500; i++) add_one(&hits[i]);
  expect(500);
  reset();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (long i = 600; i > 0; i -= 2) add_one(&hits[(600 - i) / 2]);
  expect(300);
  reset();
  const unsigned long long base = 1ULL << 63;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (unsigned long long i = base - 30; i < base + 30; i += 3) add_one(&hits[(i - base + 30) / 3]);
  expect(20);
  reset();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (unsigned long long i = base + 50; i > base - 50; i--) add_one(&hits[base + 50 - i]);
  expect(100);
}

/* A firstprivate copy counts the iterations of its own task: it is 1 in the first one of each
 * task. */
#define COUNT_TASKS(clause, count)                 \
  do {                                             \
    reset();                                       \
    int done = 0;                                  \
    PRAGMA(omp parallel)                           \
    PRAGMA(omp single)                             \
    PRAGMA(omp taskloop firstprivate(done) clause) \
    for (int i = 0; i < count; i++) {              \
      if (done++ == 0) add_one(&tasks);            \
      add_one(&hits[i]);                           \
    }                                              \
    expect(count);                                 \
  } while (0)

static void sizes(void) {
  COUNT_TASKS(num_tasks(7), 100);
  CHECK_EQ(tasks, 7);
  COUNT_TASKS(num_tasks(1), 100);
  CHECK_EQ(tasks, 1);
  COUNT_TASKS(num_tasks(100), 30);
  CHECK_EQ(tasks, 30);
  /* Each task has at least 8 and fewer than 16 iterations. */
  COUNT_TASKS(grainsize(8), 100);
  CHECK(tasks > 100 / 16 && tasks <= 100 / 8);
  COUNT_TASKS(grainsize(1), 50);
  CHECK_EQ(tasks, 50);
  COUNT_TASKS(grainsize(1000), 50);
  CHECK_EQ(tasks, 1);
}

static void strict(void) {
  COUNT_TASKS(num_tasks(strict : 7), 100);
  CHECK_EQ(tasks, 7);
  COUNT_TASKS(grainsize(strict : 8), 100);
  CHECK_EQ(tasks, 13);
  COUNT_TASKS(grainsize(strict : 25), 100);
  CHECK_EQ(tasks, 4);
}

static void collapsed(void) {
  reset();
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(3) grainsize(5)
  for (int i = 0; i < 4; i++)
    for (unsigned j = 0; j < 5; j++)
      for (long k = 6; k > 0; k--) add_one(&hits[(i * 5 + j) * 6 + (6 - k)]);
  expect(120);
}

static void private_data(void) {
  int last = -1, first = 7, scratch = 3, i;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop lastprivate(last, i) firstprivate(first) private(scratch) num_tasks(9)
    for (i = 0; i < 200; i++) {
      CHECK_EQ(first, 7);
      scratch = i;
      last = scratch;
    }
    CHECK_EQ(last, 199);
    CHECK_EQ(i, 200);
  }
  CHECK_EQ(scratch, 3);
}

/* Without nogroup everything is complete after the construct, including children of the tasks. */
static void grouping(void) {
  int done = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(3) shared(done)
    for (int i = 0; i < 60; i++) {
#pragma omp task shared(done)
      add_one(&done);
    }
    CHECK_EQ(load(&done), 60);
#pragma omp taskgroup
    {
#pragma omp taskloop nogroup num_tasks(4) shared(done)
      for (int i = 0; i < 40; i++) add_one(&done);
    }
    CHECK_EQ(load(&done), 100);
#pragma omp taskloop nogroup shared(done)
    for (int i = 0; i < 40; i++) add_one(&done);
#pragma omp taskwait
    CHECK_EQ(load(&done), 140);
  }
}

static void other_clauses(void) {
  int done = 0, no = 0;
#pragma omp parallel
#pragma omp single
  {
    int me = omp_get_thread_num();
#pragma omp taskloop if (no) shared(done) num_tasks(4)
    for (int i = 0; i < 20; i++) {
      CHECK_EQ(omp_get_thread_num(), me);
      add_one(&done);
    }
#pragma omp taskloop final(1) shared(done) num_tasks(4)
    for (int i = 0; i < 20; i++) {
      CHECK(omp_in_final());
      add_one(&done);
    }
#pragma omp taskloop untied mergeable priority(2) shared(done)
    for (int i = 0; i < 20; i++) {
#pragma omp taskyield
      add_one(&done);
    }
#pragma omp taskloop simd shared(hits) grainsize(16)
    for (int i = 0; i < 200; i++) hits[i] = i;
  }
  CHECK_EQ(done, 60);
  for (int i = 0; i < 200; i++) CHECK_EQ(hits[i], i);
}

static void nothing_and_edges(void) {
  reset();
  volatile int zero = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (int i = 0; i < zero; i++) add_one(&hits[0]);
#pragma omp taskloop grainsize(2)
    for (unsigned long long i = 9; i < 9 + (unsigned long long)zero; i++) add_one(&hits[0]);
#pragma omp taskloop num_tasks(3)
    for (int i = 0; i < 1; i++) add_one(&hits[1]);
#pragma omp taskloop grainsize(2)
    for (long i = LONG_MAX - 10; i < LONG_MAX - 3; i++) add_one(&hits[2]);
#pragma omp taskloop num_tasks(4)
    for (unsigned long long i = ULLONG_MAX - 10; i < ULLONG_MAX - 3; i++) add_one(&hits[3]);
  }
  CHECK_EQ(hits[0], 0);
  CHECK_EQ(hits[1], 1);
  CHECK_EQ(hits[2], 7);
  CHECK_EQ(hits[3], 7);
}

static void everywhere(void) {
  int done = 0;
#pragma omp parallel
  {
#pragma omp taskloop shared(done) num_tasks(3)
    for (int i = 0; i < 10; i++) add_one(&done);
#pragma omp taskloop shared(done) num_tasks(2)
    for (int i = 0; i < 4; i++) {
#pragma omp taskloop shared(done) num_tasks(2)
      for (int k = 0; k < 5; k++) add_one(&done);
    }
  }
  CHECK_EQ(done, 30 * omp_get_max_threads());
}

int main(void) {
  CHECK_BEGIN();
  RUN(plain);
  RUN(sizes);
  RUN(strict);
  RUN(collapsed);
  RUN(private_data);
  RUN(grouping);
  RUN(other_clauses);
  RUN(nothing_and_edges);
  RUN(everywhere);
  return check_end();
}
