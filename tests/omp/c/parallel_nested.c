/* SPDX-License-Identifier: Apache-2.0
 * Nested regions: four levels deep, the queries at each level, barriers inside inner teams while
 * the outer team waits, many inner regions at once, inner regions in sequence. */
#include "check.h"

static int leaves;

static void descend(int depth, const int* sizes, int* path) {
  CHECK_EQ(omp_get_level(), depth);
  if (depth == 4) {
    add_one(&leaves);
    return;
  }
  int arrived = 0;
#pragma omp parallel num_threads(sizes[depth]) shared(arrived)
  {
    int here[5];
    memcpy(here, path, sizeof here);
    here[depth + 1] = omp_get_thread_num();
    CHECK_EQ(omp_get_num_threads(), sizes[depth]);
    CHECK_EQ(omp_get_level(), depth + 1);
    for (int up = 0; up <= depth; up++) {
      CHECK_EQ(omp_get_ancestor_thread_num(up + 1), here[up + 1]);
      CHECK_EQ(omp_get_team_size(up + 1), sizes[up]);
    }
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_team_size(0), 1);
    CHECK_EQ(omp_get_ancestor_thread_num(depth + 2), -1);
    CHECK_EQ(omp_get_team_size(-1), -1);
    add_one(&arrived);
#pragma omp barrier
    CHECK_EQ(load(&arrived), sizes[depth]);
    descend(depth + 1, sizes, here);
#pragma omp barrier
    CHECK_EQ(omp_get_thread_num(), here[depth + 1]);
  }
}

static void four_levels(void) {
  int n = omp_get_max_threads();
  int sizes[4] = {min_int(n, 5), 2, min_int(n, 3), 2}, path[5] = {0};
  omp_set_max_active_levels(4);
  leaves = 0;
  descend(0, sizes, path);
  CHECK_EQ(leaves, sizes[0] * sizes[1] * sizes[2] * sizes[3]);
}

static void wide_outer(void) {
  int n = omp_get_max_threads(), count = 0;
  omp_set_max_active_levels(2);
  for (int round = 0; round < 2; round++) {
#pragma omp parallel
#pragma omp parallel num_threads(2)
    {
      add_one(&count);
      CHECK_EQ(omp_get_active_level(), (n > 1) + 1);
    }
  }
  CHECK_EQ(count, 4 * n);
}

static void many_inner(void) {
  int n = omp_get_max_threads(), outer = min_int(n, 4), rounds = 20, count = 0;
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(outer)
  for (int round = 0; round < rounds; round++) {
    int inner = 1 + (round + omp_get_thread_num()) % 4, sum = 0;
#pragma omp parallel num_threads(inner) reduction(+ : sum)
    {
      sum += omp_get_thread_num() + 1;
      add_one(&count);
      CHECK_EQ(omp_get_num_threads(), inner);
    }
    CHECK_EQ(sum, inner * (inner + 1) / 2);
  }
  int want = 0;
  for (int t = 0; t < outer; t++)
    for (int round = 0; round < rounds; round++) want += 1 + (round + t) % 4;
  CHECK_EQ(count, want);
}

/* Beyond max-active-levels a region has one thread, but is still a level of its own. */
static void serialised(void) {
  int n = omp_get_max_threads();
  omp_set_max_active_levels(1);
#pragma omp parallel
  {
    int me = omp_get_thread_num();
#pragma omp parallel num_threads(4)
    {
      CHECK_EQ(omp_get_num_threads(), n > 1 ? 1 : 4);
      CHECK_EQ(omp_get_level(), 2);
      CHECK_EQ(omp_get_active_level(), 1);
      CHECK_EQ(omp_get_ancestor_thread_num(1), me);
#pragma omp parallel
      {
        CHECK_EQ(omp_get_num_threads(), 1);
        CHECK_EQ(omp_get_level(), 3);
      }
    }
    CHECK_EQ(omp_get_thread_num(), me);
    CHECK_EQ(omp_get_num_threads(), n);
  }
  omp_set_max_active_levels(0);
#pragma omp parallel
  {
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK(!omp_in_parallel());
  }
}

/* A region with if(0) between two active ones. */
static void inactive_between(void) {
  int n = omp_get_max_threads(), count = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(min_int(n, 6))
#pragma omp parallel if (0)
#pragma omp parallel num_threads(3)
  {
    CHECK_EQ(omp_get_level(), 3);
    CHECK_EQ(omp_get_active_level(), 1 + (n > 1));
    CHECK_EQ(omp_get_team_size(2), 1);
    CHECK_EQ(omp_get_ancestor_thread_num(2), 0);
    add_one(&count);
  }
  CHECK_EQ(count, 3 * min_int(n, 6));
}

/* Worksharing of the inner team belongs to the inner team. */
static void worksharing_inside(void) {
  int n = min_int(omp_get_max_threads(), 8), total = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(n)
  {
    int mine = 0, singles = 0;
#pragma omp parallel num_threads(3) shared(mine, singles)
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 20; i++) add_one(&mine);
#pragma omp single
      add_one(&singles);
#pragma omp sections
      {
#pragma omp section
        add_one(&mine);
#pragma omp section
        add_one(&mine);
      }
    }
    CHECK_EQ(mine, 22);
    CHECK_EQ(singles, 1);
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 50; i++) add_one(&total);
  }
  CHECK_EQ(total, 50);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(four_levels);
  RUN(wide_outer);
  RUN(many_inner);
  RUN(serialised);
  RUN(inactive_between);
  RUN(worksharing_inside);
  return check_end();
}
