/* SPDX-License-Identifier: Apache-2.0
 * nowait: threads may be many worksharing regions apart. Thread 0 passes through all of them before
 * any other thread enters, then the last thread, then the rest. Each region must still execute each
 * iteration once, and a thread's state must not leak into a region entered later. */
#include <sched.h>

#include "check.h"

enum { kRegions = 40, kCount = 30 };

static int hits[kRegions][kCount];

static void expect_once(void) {
  for (int r = 0; r < kRegions; r++)
    for (int i = 0; i < kCount; i++) CHECK_EQ(hits[r][i], 1);
}

/* The first thread waits for no other: the others start only when it has passed all regions. */
static void wait_turn(int* turn, int mine) {
  while (load(turn) < mine) {
#pragma omp taskyield
    sched_yield();
  }
}

#define APART(name, clause)                                     \
  static void name(void) {                                      \
    int turn = 0;                                               \
    memset(hits, 0, sizeof hits);                               \
    PRAGMA(omp parallel shared(turn)) {                         \
      int me = omp_get_thread_num(), n = omp_get_num_threads(); \
      if (me > 0) wait_turn(&turn, me == n - 1 ? 1 : 2);        \
      for (int r = 0; r < kRegions; r++) {                      \
        PRAGMA(omp for nowait schedule clause)                  \
        for (int i = 0; i < kCount; i++) add_one(&hits[r][i]);  \
      }                                                         \
      if (me == 0) store(&turn, n > 2 ? 1 : 2);                 \
      if (me == n - 1) store(&turn, 2);                         \
    }                                                           \
    expect_once();                                              \
  }

APART(apart_static, (static))
APART(apart_dynamic, (dynamic))
APART(apart_chunk, (dynamic, 4))
APART(apart_guided, (guided))
APART(apart_runtime, (runtime))

/* Different constructs in progress at once. */
static void apart_mixed(void) {
  int turn = 0, singles[kRegions] = {0}, sections[kRegions] = {0};
  memset(hits, 0, sizeof hits);
#pragma omp parallel shared(turn, singles, sections)
  {
    int me = omp_get_thread_num();
    if (me > 0) wait_turn(&turn, 1);
    for (int r = 0; r < kRegions; r++) {
#pragma omp single nowait
      add_one(&singles[r]);
#pragma omp for schedule(dynamic, 3) nowait
      for (int i = 0; i < kCount; i++) add_one(&hits[r][i]);
#pragma omp sections nowait
      {
#pragma omp section
        add_one(&sections[r]);
#pragma omp section
        add_one(&sections[r]);
#pragma omp section
        add_one(&sections[r]);
      }
    }
    if (me == 0) store(&turn, 1);
  }
  expect_once();
  for (int r = 0; r < kRegions; r++) {
    CHECK_EQ(singles[r], 1);
    CHECK_EQ(sections[r], 3);
  }
}

/* Rounds of regions that end with a barrier, many times: retired records are reused. */
static void rounds(void) {
  int total = 0;
  int many = repeats(400);
#pragma omp parallel
  for (int round = 0; round < many; round++) {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 10; i++) add_one(&total);
#pragma omp for schedule(guided) nowait
    for (unsigned long long i = 0; i < 10; i++) add_one(&total);
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 10; i++) add_one(&total);
  }
  CHECK_EQ(total, many * 30);
}

/* There are so many loops without a barrier that a cost for each loop ahead, or for each loop
 * between a thread and the last one, would show. */
static void many_apart(void) {
  int total = 0, passed = 0;
  int many = kSlow ? 20000 : 200000;
#pragma omp parallel num_threads(8)
  {
    int n = omp_get_num_threads();
    if (omp_get_thread_num() == n - 1) wait_turn(&passed, n - 1);
    for (int round = 0; round < many; round++) {
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < 2; i++) add_one(&total);
    }
    add_one(&passed);
  }
  CHECK_EQ(total, many * 2);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  omp_set_schedule(omp_sched_guided, 2);
  RUN(apart_static);
  RUN(apart_dynamic);
  RUN(apart_chunk);
  RUN(apart_guided);
  RUN(apart_runtime);
  RUN(apart_mixed);
  RUN(rounds);
  RUN(many_apart);
  return check_end();
}
