// SPDX-License-Identifier: Apache-2.0
// Threads of the program share the processors among their regions. Run with BOBBIN_SHARE=fair and
// OMP_NUM_THREADS=8.
#include <pthread.h>

#include "check.h"

enum { kAll = 8, kMostRoots = 6 };

static int team_size(void) {
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

static int part_of(int roots) { return (kAll + roots - 1) / roots; }

// Other kernel threads of the program, which start one by one and stay.
static pthread_t others[kMostRoots];
static int arrived, go_on;

static void wait_until_all_may_go(void) {
  add_one(&arrived);
  while (!load(&go_on)) sched_yield();
}

static void come(int other, void* (*function)(void*)) {
  CHECK_EQ(pthread_create(&others[other], NULL, function, NULL), 0);
  while (load(&arrived) < other) sched_yield();
}

static void end_others(void) {
  __atomic_store_n(&go_on, 1, __ATOMIC_RELEASE);
  for (int other = 1; other < kMostRoots; other++) pthread_join(others[other], NULL);
  arrived = go_on = 0;
}

static void* stay_in_region(void* unused) {
#pragma omp parallel num_threads(2)
#pragma omp masked
  wait_until_all_may_go();
  return unused;
}

// A root that has not asked how many threads it gets.
static void* divide(void* unused) {
  CHECK_EQ(team_size(), kAll);
  for (int other = 1; other < kMostRoots; other++) {
    come(other, stay_in_region);
    CHECK_EQ(team_size(), part_of(other + 1));
    int asked_for = 0, nested = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    asked_for = omp_get_num_threads();
    CHECK_EQ(asked_for, 3);
#pragma omp parallel num_threads(1)
    nested = team_size();
    CHECK_EQ(nested, kAll);
  }
  end_others();
  CHECK_EQ(team_size(), kAll);
  return unused;
}

static void in_regions(void) {
  pthread_t root;
  CHECK_EQ(pthread_create(&root, NULL, divide, NULL), 0);
  pthread_join(root, NULL);
}

// A root that asks is told all or one. Until it asks again, it gets the number that it was told
// last.
static void told(void) {
  int size = omp_get_max_threads();
  CHECK_EQ(size, kAll);
  for (int other = 1; other < kMostRoots; other++) {
    come(other, stay_in_region);
    CHECK_EQ(team_size(), size);
    size = omp_get_max_threads();
    CHECK_EQ(size, kAll >= 2 * (other + 1) ? kAll : 1);
    CHECK_EQ(team_size(), size);
    int inside = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    inside = omp_get_max_threads();
    CHECK_EQ(inside, kAll);
  }
  end_others();
  CHECK_EQ(team_size(), size);
  CHECK_EQ(omp_get_max_threads(), kAll);
  CHECK_EQ(team_size(), kAll);
}

// A root that sets the number is never told more than that. Until it asks, it gets its share of the
// number.
static void set_by_program(void) {
  for (int other = 1; other < kMostRoots; other++) come(other, stay_in_region);
  CHECK_EQ(omp_get_max_threads(), 1);
  omp_set_num_threads(3 * kAll);
  CHECK_EQ(team_size(), (3 * kAll + kMostRoots - 1) / kMostRoots);
  CHECK_EQ(omp_get_max_threads(), 3 * kAll);
  CHECK_EQ(team_size(), 3 * kAll);
  omp_set_num_threads(1);
  CHECK_EQ(omp_get_max_threads(), 1);
  CHECK_EQ(team_size(), 1);
  end_others();
  CHECK_EQ(omp_get_max_threads(), 1);
  CHECK_EQ(team_size(), 1);
  omp_set_num_threads(kAll);
  CHECK_EQ(team_size(), kAll);
}

int main(void) {
  CHECK_BEGIN();
  RUN(in_regions);
  RUN(told);
  RUN(set_by_program);
  return check_end();
}
