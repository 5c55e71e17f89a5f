/* SPDX-License-Identifier: Apache-2.0
 * A mixture of everything: a program that draws its constructs from a fixed random sequence, the
 * same in every thread, and keeps a running sum that must be exactly right. */
#include <stdint.h>

#include "check.h"

static uint64_t next_random(uint64_t* state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t x = *state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static int account;

static void small_tasks(int depth) {
#pragma omp task
  {
    add_one(&account);
    if (depth > 0) small_tasks(depth - 1);
  }
}

/* Returns the amount by which one thread's pass through the step raises the sum, times the team. */
static long step(int kind, int team) {
  switch (kind) {
    case 0: {
#pragma omp barrier
      return 0;
    }
    case 1:
#pragma omp for schedule(dynamic, 2) nowait
      for (int i = 0; i < 12; i++) add_one(&account);
      return 12;
    case 2:
#pragma omp for schedule(static)
      for (int i = 0; i < 7; i++) add_one(&account);
      return 7;
    case 3:
#pragma omp single
      add_one(&account);
      return 1;
    case 4:
#pragma omp critical(account)
      add_one(&account);
      return team;
    case 5:
      small_tasks(2);
      return 3L * team;
    case 6:
#pragma omp sections nowait
    {
#pragma omp section
      add_one(&account);
#pragma omp section
      add_one(&account);
    }
      return 2;
    case 7: {
#pragma omp taskwait
      return 0;
    }
    case 8: {
      int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
      {
        sum += 1;
        add_one(&account);
      }
      CHECK_EQ(sum, 2);
      return 2L * team;
    }
    case 9:
#pragma omp for ordered schedule(guided)
      for (int i = 0; i < 9; i++) {
#pragma omp ordered
        add_one(&account);
      }
      return 9;
    case 10: {
      int got = -1;
#pragma omp single copyprivate(got)
      got = 5;
      CHECK_EQ(got, 5);
      return 0;
    }
    default:
#pragma omp masked
#pragma omp taskloop num_tasks(3)
      for (int i = 0; i < 11; i++) add_one(&account);
      return 11;
  }
}

static void run_mixture(uint64_t seed, int team, int steps) {
  long want = 0;
  account = 0;
#pragma omp parallel num_threads(team) shared(want)
  {
    uint64_t state = seed;
    long mine = 0;
    for (int i = 0; i < steps; i++) mine += step((int)(next_random(&state) % 12), team);
    if (omp_get_thread_num() == 0) want = mine;
  }
  CHECK_EQ(account, want);
}

static void mixtures(void) {
  int n = omp_get_max_threads();
  omp_set_max_active_levels(2);
  for (int seed = 1; seed <= 8; seed++) {
    int team = seed % 2 ? n : 1 + (n + seed) % n;
    run_mixture((uint64_t)seed, team, n > 16 ? 20 : 60);
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(mixtures);
  return check_end();
}
