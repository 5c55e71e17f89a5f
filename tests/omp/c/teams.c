/* SPDX-License-Identifier: Apache-2.0
 * teams on the host: size of the league, numbering, thread_limit, the queries inside and outside,
 * reductions over the league. */
#include "check.h"

/* Compilers reject these calls when they see them closely nested in teams. */
static void initial_thread(void) {
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_get_level(), 0);
  CHECK(!omp_in_parallel());
}

static int limit(void) { return omp_get_thread_limit(); }

static void numbering(void) {
  int seen[64] = {0}, size = 0;
#pragma omp teams num_teams(5) shared(seen, size)
  {
    int team = omp_get_team_num(), n = omp_get_num_teams();
    CHECK(team >= 0 && team < n && n <= 5 && n >= 1);
    add_one(&seen[team]);
    if (team == 0) size = n;
    initial_thread();
  }
  for (int i = 0; i < 64; i++) CHECK_EQ(seen[i], i < size);
  CHECK_EQ(omp_get_num_teams(), 1);
  CHECK_EQ(omp_get_team_num(), 0);
}

static void exact_size(void) {
#ifndef GAP_exact_size
  int count = 0;
#pragma omp teams num_teams(3 : 3)
  {
    CHECK_EQ(omp_get_num_teams(), 3);
    add_one(&count);
  }
  CHECK_EQ(count, 3);
#endif
}

static void thread_limit(void) {
  int total = 0;
#pragma omp teams num_teams(2) thread_limit(3) shared(total)
  {
    CHECK(limit() <= 3);
#pragma omp parallel num_threads(8)
    {
      CHECK(omp_get_num_threads() <= 3);
      CHECK_EQ(omp_get_level(), 1);
      add_one(&total);
    }
  }
  CHECK(total >= 1 && total <= 6);
}

/* Threads that encounter parallel constructs at the same time share what the limit leaves. */
static void limit_for_all(void) {
  omp_set_max_active_levels(2);
#pragma omp teams num_teams(1) thread_limit(6)
  {
    int inside = 0, most = 0;
#pragma omp parallel num_threads(5) shared(inside, most)
    for (int round = 0; round < 300; round++) {
#pragma omp parallel num_threads(5)
      {
        int now = __atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED);
        if (now > load(&most)) __atomic_store_n(&most, now, __ATOMIC_RELAXED);
        sched_yield();
        __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
      }
    }
    CHECK(most <= 6);
  }
  omp_set_max_active_levels(1);
}

static void data(void) {
  int first = 4, sum = 0, scratch = 2, last = 0;
#pragma omp teams num_teams(3) firstprivate(first) private(scratch) reduction(+ : sum)
  {
    scratch = first;
    first = 0;
    sum += scratch;
  }
  CHECK(sum >= 4 && sum <= 12 && sum % 4 == 0);
  CHECK_EQ(first, 4);
  CHECK_EQ(scratch, 2);
#pragma omp teams distribute parallel for num_teams(2) lastprivate(last) reduction(+ : sum)
  for (int i = 0; i < 50; i++) {
    last = i;
    sum += 1;
  }
  CHECK_EQ(last, 49);
}

/* Each team is a separate contention group: nested regions, tasks, and barriers inside. */
static void inside(void) {
  int total = 0, teams = 0;
#pragma omp teams num_teams(2) thread_limit(4) shared(total, teams)
  {
    int here = 0;
    add_one(&teams);
#pragma omp parallel num_threads(2) shared(here)
    {
      add_one(&here);
#pragma omp barrier
      CHECK_EQ(load(&here), omp_get_num_threads());
#pragma omp single
      for (int i = 0; i < 10; i++) {
#pragma omp task shared(total)
        add_one(&total);
      }
    }
  }
  CHECK_EQ(total, 10 * teams);
}

/* A device has one copy of each, whichever task sets it. */
static void settings_of_host(void) {
  int before = omp_get_max_teams(), before_limit = omp_get_teams_thread_limit();
#pragma omp target
  {
    omp_set_num_teams(4);
    omp_set_teams_thread_limit(3);
  }
  CHECK_EQ(omp_get_max_teams(), 4);
  CHECK_EQ(omp_get_teams_thread_limit(), 3);
  int inside = 0;
#pragma omp target map(from : inside)
  inside = omp_get_max_teams();
  CHECK_EQ(inside, 4);
  omp_set_num_teams(before);
  omp_set_teams_thread_limit(before_limit);
}

static void settings(void) {
  int before_teams = omp_get_max_teams(), before_limit = omp_get_teams_thread_limit();
  omp_set_num_teams(3);
  CHECK_EQ(omp_get_max_teams(), 3);
  omp_set_teams_thread_limit(2);
  CHECK_EQ(omp_get_teams_thread_limit(), 2);
  int teams = 0;
#pragma omp teams shared(teams)
  {
    add_one(&teams);
    CHECK(omp_get_num_teams() <= 3);
    CHECK(limit() <= 2);
  }
  CHECK(teams >= 1 && teams <= 3);
  (void)before_teams;
  (void)before_limit;
}

int main(void) {
  CHECK_BEGIN();
  RUN(numbering);
  RUN(exact_size);
  RUN(thread_limit);
  RUN(limit_for_all);
  RUN(data);
  RUN(inside);
  RUN(settings_of_host);
  RUN(settings);
  return check_end();
}
