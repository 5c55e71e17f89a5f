/* SPDX-License-Identifier: Apache-2.0 */
/* Target regions that take part in a task reduction, undeferred and as tasks, alone and combined
 * with others. */
#include "check.h"

enum { kTargets = 20, kLength = 10 };

typedef struct {
  long sum;
  int count;
} Tally;
#pragma omp declare reduction(tally:Tally : omp_out.sum += omp_in.sum, \
                                  omp_out.count += omp_in.count)       \
    initializer(omp_priv = (Tally){0, 0})

static long of_the_file;

static void scalars(void) {
  long sum = 5;
  Tally tally = {5, 0};
  int order = 0;
  of_the_file = 1;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum, of_the_file) task_reduction(tally : tally)
  for (int i = 0; i < kTargets; i++) {
#pragma omp target in_reduction(+ : sum)
    sum += i;
#pragma omp target nowait in_reduction(+ : sum) firstprivate(i)
    sum += 1000 * i;
#pragma omp target nowait in_reduction(+ : of_the_file) depend(inout : order) map(tofrom : order)
    {
      of_the_file += 1;
      order++;
    }
#pragma omp target in_reduction(tally : tally) depend(inout : order) map(tofrom : order)
    {
      CHECK_EQ(order++, 2 * i + 1);
      tally.sum += i;
      tally.count++;
    }
  }
  CHECK_EQ(sum, 5 + 1001 * 190);
  CHECK_EQ(of_the_file, 1 + kTargets);
  CHECK_EQ(tally.sum, 5 + 190);
  CHECK_EQ(tally.count, kTargets);
}

static void __attribute__((noinline)) add_to(int n, long* counts) {
  long values[n], matrix[4][kLength];
  memset(values, 0, sizeof values);
  memset(matrix, 0, sizeof matrix);
#pragma omp taskgroup task_reduction(+ : counts[1 : n - 1], values, matrix[1 : 2][0 : kLength])
  for (int i = 0; i < kTargets; i++) {
#pragma omp target in_reduction(+ : counts[1 : n - 1], values)
    {
      counts[1 + i % (n - 1)] += 1;
      values[i % n] += i;
    }
#pragma omp target nowait in_reduction(+ : counts[1 : n - 1]) \
    in_reduction(+ : matrix[1 : 2][0 : kLength])
    {
      counts[1 + i % (n - 1)] += 10;
      matrix[1 + i % 2][i % kLength] += 1;
    }
#pragma omp target nowait in_reduction(+ : values) depend(out : matrix[0])
    values[i % n] += 1000;
  }
  CHECK_EQ(counts[0], 0);
  for (int i = 1; i < n; i++) {
    CHECK_EQ(counts[i], 11 * (kTargets / (n - 1) + (i - 1 < kTargets % (n - 1) ? 1 : 0)));
  }
  for (int i = 0; i < n; i++) CHECK_EQ(values[i], 2010 + 2 * i);
  for (int i = 0; i < kLength; i++) {
    CHECK_EQ(matrix[1][i], i % 2 == 0 ? 2 : 0);
    CHECK_EQ(matrix[2][i], i % 2 == 1 ? 2 : 0);
    CHECK_EQ(matrix[0][i] + matrix[3][i], 0);
  }
}

static void sections(void) {
  long counts[kLength] = {0};
#pragma omp parallel
#pragma omp single
  add_to(kLength, counts);
  memset(counts, 0, sizeof counts);
  add_to(kLength, counts); /* without a team */
}

/* Only the target construct takes part. Its parallel region reduces into the target's copy. */
static void combined(void) {
  long sum = 0, threads = 0;
  long hits[kLength] = {0};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum, hits[2 : 6], threads)
  for (int i = 0; i < 4; i++) {
#pragma omp target parallel for in_reduction(+ : sum) reduction(+ : sum)
    for (int k = 0; k < 100; k++) sum += k;
#pragma omp target parallel num_threads(2) nowait in_reduction(+ : threads)
#pragma omp atomic
    threads++;
#pragma omp target teams distribute parallel for nowait in_reduction(+ : hits[2 : 6])
    for (int k = 2; k < 8; k++) hits[k] += k;
#pragma omp target simd in_reduction(+ : sum) reduction(+ : sum)
    for (int k = 0; k < 10; k++) sum += 10000 * k;
#pragma omp target teams num_teams(2) in_reduction(+ : sum) reduction(+ : sum)
    if (omp_get_team_num() == 0) sum += 1000000;
  }
  CHECK_EQ(sum, 4 * (4950 + 450000 + 1000000));
  CHECK(threads >= 4 && threads <= 8);
  for (int k = 0; k < kLength; k++) CHECK_EQ(hits[k], k >= 2 && k < 8 ? 4 * k : 0);
}

/* Recorded in a graph: each execution has variables of its own. */
static int statements;

static void __attribute__((noinline)) graph(int round) {
  long sum = round, counts[4] = {0}, *part = counts + 1;
  int value = 0, other = 0;
#pragma omp taskgroup task_reduction(+ : sum, part[0 : 2])
#pragma omp taskgraph
  {
    statements++;
    for (int i = 0; i < 4; i++) {
#pragma omp target nowait in_reduction(+ : sum, part[0 : 2]) firstprivate(i) map(tofrom : value) \
    depend(inout : value)
      {
        sum += i;
        part[i % 2] += 1;
        value++;
      }
#pragma omp target update nowait to(value) depend(inout : value)
    }
#pragma omp taskwait nowait replayable depend(inout : value)
#pragma omp task shared(value, other) depend(in : value)
    other = value;
  }
  CHECK_EQ(sum, round + 6);
  CHECK_EQ(value, 4);
  CHECK_EQ(other, 4);
  CHECK_EQ(counts[0] + counts[3], 0);
  CHECK_EQ(counts[1], 2);
  CHECK_EQ(counts[2], 2);
}

/* What must not be recorded is executed each time. */
static void __attribute__((noinline)) wait_plainly(int may) {
  int value = 0;
#pragma omp task depend(out : value) shared(value) replayable
  value = 1;
#pragma omp taskwait nowait depend(inout : value) replayable(may)
#pragma omp taskwait nowait depend(inout : value) replayable(0)
#pragma omp taskwait depend(in : value)
  CHECK_EQ(value, 1);
}

static void graphs(void) {
  int first = 0;
  statements = 0;
  for (int round = 0; round < 2; round++) {
#pragma omp taskgraph
    first++;
  }
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; round++) graph(round);
  CHECK_EQ(statements, first == 1 ? 1 : 10); /* POSIX threads alone do not replay */
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 4; round++) {
#pragma omp taskgraph
    wait_plainly(round % 2);
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(scalars);
  RUN(sections);
  RUN(combined);
  RUN(graphs);
  return check_end();
}
