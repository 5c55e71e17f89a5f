// SPDX-License-Identifier: Apache-2.0
// Threads of the program share the processors among their regions. Run with BOBBIN_SHARE=fair.
#include <pthread.h>

#include "check.h"

enum { kMostRoots = 4 };

static int open_regions, go_on;

static int team_size(void) {
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

static void* stay_in_region(void* unused) {
#pragma omp parallel num_threads(2)
#pragma omp masked
  {
    add_one(&open_regions);
    while (!load(&go_on)) sched_yield();
  }
  return unused;
}

static void among_roots(void) {
  const int all = omp_get_max_threads();
  CHECK_EQ(team_size(), all);
  pthread_t others[kMostRoots];
  for (int roots = 1; roots < kMostRoots; roots++) {
    CHECK_EQ(pthread_create(&others[roots], NULL, stay_in_region, NULL), 0);
    while (load(&open_regions) < roots) sched_yield();
    CHECK_EQ(team_size(), (all + roots) / (roots + 1));
    int asked_for = 0, nested = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    asked_for = omp_get_num_threads();
    CHECK_EQ(asked_for, 3);
#pragma omp parallel num_threads(1)
    nested = team_size();
    CHECK_EQ(nested, all);
  }
  __atomic_store_n(&go_on, 1, __ATOMIC_RELEASE);
  for (int roots = 1; roots < kMostRoots; roots++) pthread_join(others[roots], NULL);
  CHECK_EQ(team_size(), all);
}

int main(void) {
  CHECK_BEGIN();
  RUN(among_roots);
  return check_end();
}
