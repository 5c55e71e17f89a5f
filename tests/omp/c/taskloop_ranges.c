/* SPDX-License-Identifier: Apache-2.0
 * A taskloop of very many tasks is divided only as far as other threads are hungry, also where its
 * tasks go into a queue of the team. Run with OMP_MAX_TASK_PRIORITY=1. */
#include "check.h"

enum { kTasks = kSlow ? 20000 : 200000, kThreads = 4 };

static int hits[kTasks];
static int breaks;

/* Checks the ascending order in which a thread executes its part. */
static void execute(int i) {
  static int last[kThreads];
  int* mine = &last[omp_get_thread_num()];
  if (*mine != i - 1) add_one(&breaks);
  *mine = i;
  hits[i]++;
}

static void expect_few_parts(void) {
  for (int i = 0; i < kTasks; i++) CHECK_EQ(hits[i], 1);
  CHECK(breaks < kTasks / 4);
  memset(hits, 0, sizeof hits);
  breaks = 0;
}

static void plain(void) {
#pragma omp parallel num_threads(kThreads)
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < kTasks; i++) execute(i);
  expect_few_parts();
}

static void with_priority(void) {
#pragma omp parallel num_threads(kThreads)
#pragma omp single
#pragma omp taskloop grainsize(1) priority(1)
  for (int i = 0; i < kTasks; i++) execute(i);
  expect_few_parts();
}

int main(void) {
  CHECK_BEGIN();
  RUN(plain);
  RUN(with_priority);
  return check_end();
}
