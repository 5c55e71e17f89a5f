/* SPDX-License-Identifier: Apache-2.0
 * loop: bound to the team, the thread and the league; combined forms, reductions, lastprivate. */
#include "check.h"

enum { kCount = 300 };
static int hits[kCount];

static void expect(int times) {
  for (int i = 0; i < kCount; i++) CHECK_EQ(hits[i], times);
  memset(hits, 0, sizeof hits);
}

static void in_team(void) {
  int sum = 0, last = 0;
#pragma omp parallel loop
  for (int i = 0; i < kCount; i++) hits[i] += 1;
  expect(1);
#pragma omp parallel
  {
#pragma omp loop bind(parallel)
    for (int i = 0; i < kCount; i++) hits[i] += 1;
#pragma omp loop
    for (int i = 0; i < kCount; i++) hits[i] += 1;
  }
  expect(2);
#pragma omp parallel loop reduction(+ : sum)
  for (int i = 0; i < kCount; i++) sum += i;
  CHECK_EQ(sum, kCount * (kCount - 1) / 2);
#pragma omp parallel loop collapse(2) order(concurrent)
  for (int i = 0; i < 15; i++)
    for (int j = 0; j < 20; j++) hits[i * 20 + j]++;
  expect(1);
#pragma omp parallel
#pragma omp loop lastprivate(last)
  for (last = 0; last < kCount; last++) hits[last]++;
  CHECK_EQ(last, kCount);
  expect(1);
}

static void in_thread(void) {
  int total = 0;
#pragma omp parallel
  {
    int mine = 0;
#pragma omp loop bind(thread) reduction(+ : mine)
    for (int i = 0; i < 50; i++) mine += 1;
    CHECK_EQ(mine, 50);
#pragma omp atomic
    total += mine;
  }
  CHECK_EQ(total, 50 * omp_get_max_threads());
#pragma omp loop bind(thread)
  for (int i = 0; i < kCount; i++) hits[i]++;
  expect(1);
}

static void in_league(void) {
#pragma omp teams num_teams(2) thread_limit(2)
#pragma omp loop bind(teams)
  for (int i = 0; i < kCount; i++) hits[i]++;
  expect(1);
#pragma omp teams loop num_teams(3) thread_limit(2)
  for (int i = 0; i < kCount; i++) hits[i]++;
  expect(1);
  int sum = 0;
#pragma omp teams loop reduction(+ : sum) num_teams(2)
  for (int i = 0; i < 100; i++) sum += i;
  CHECK_EQ(sum, 4950);
}

static void concurrent_for(void) {
#pragma omp parallel for order(concurrent)
  for (int i = 0; i < kCount; i++) hits[i]++;
  expect(1);
#pragma omp parallel for order(reproducible : concurrent) schedule(static)
  for (int i = 0; i < kCount; i++) hits[i]++;
  expect(1);
}

int main(void) {
  CHECK_BEGIN();
  RUN(in_team);
  RUN(in_thread);
  RUN(in_league);
  RUN(concurrent_for);
  return check_end();
}
