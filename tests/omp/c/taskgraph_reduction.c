/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of recorded graphs that take part in a reduction around the graph. At each execution the
 * reduction, its copies and its variables are others. */
#include "check.h"

enum { kRounds = 20, kTasks = 16, kLength = 24 };

typedef struct {
  long sum;
  int count;
} Tally;
#pragma omp declare reduction(tally:Tally : omp_out.sum += omp_in.sum, \
                                  omp_out.count += omp_in.count)       \
    initializer(omp_priv = (Tally){0, 0})

static int statements;
static int replays; /* POSIX threads alone execute the statements each time */

static void check_statements(int executions) { CHECK_EQ(statements, replays ? 1 : executions); }

static void __attribute__((noinline)) leave_frame(int depth) {
  volatile char frame[200];
  memset((char*)frame, 0x55, sizeof frame);
  if (depth > 0) leave_frame(depth - 1);
}

/* The variables are in another place at each call. */
static void __attribute__((noinline)) of_taskgroup(int depth, int round) {
  if (depth > 0) {
    leave_frame(depth);
    of_taskgroup(depth - 1, round);
    return;
  }
  long sum = round;
  Tally tally = {round, 0};
  int counts[4] = {0, 0, 0, round};
#pragma omp taskgroup task_reduction(+ : sum, counts) task_reduction(tally : tally)
  {
#pragma omp taskgraph
    {
      statements++;
      for (int i = 0; i < kTasks; i++) {
#pragma omp task in_reduction(+ : sum, counts) firstprivate(i)
        {
          sum += i;
          counts[i % 4]++;
        }
#pragma omp task in_reduction(tally : tally) firstprivate(i) depend(inout : round)
        {
          tally.sum += i;
          tally.count++;
        }
      }
    }
  }
  CHECK_EQ(sum, round + kTasks * (kTasks - 1) / 2);
  CHECK_EQ(tally.sum, round + kTasks * (kTasks - 1) / 2);
  CHECK_EQ(tally.count, kTasks);
  for (int i = 0; i < 4; i++) CHECK_EQ(counts[i], kTasks / 4 + (i == 3 ? round : 0));
}

static void taskgroups(void) {
  statements = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) of_taskgroup(round % 5, round);
  of_taskgroup(1, kRounds); /* without a team */
  check_statements(kRounds + 1);
}

/* Sections of an array of variable length and of what a pointer leads to. */
static double of_the_file[kLength];
static double* pointer_of_the_file = of_the_file;

static void __attribute__((noinline)) of_sections(int n, double* values, int round) {
  long parts[n];
  for (int i = 0; i < n; i++) parts[i] = i;
#pragma omp taskgroup task_reduction(+ : values[2 : n - 4], parts[1 : n - 1]) \
    task_reduction(+ : of_the_file, pointer_of_the_file[0 : 4])
  {
#pragma omp taskgraph
    {
      statements++;
      for (int i = 0; i < kTasks; i++) {
#pragma omp task in_reduction(+ : values[2 : n - 4]) in_reduction(+ : parts[1 : n - 1])
        {
          values[2 + i % 3] += 1;
          parts[1 + i] += 1;
        }
#pragma omp task in_reduction(+ : of_the_file)
        of_the_file[5] += 1;
      }
    }
  }
  for (int i = 0; i < n; i++) {
    const int added = i < 2 || i > 4 ? 0 : i == 2 ? 6 : 5;
    CHECK_EQ(values[i], 100 * round + added);
    CHECK_EQ(parts[i], i + (i >= 1 && i <= kTasks ? 1 : 0));
  }
}

static void sections(void) {
  statements = 0;
  of_the_file[5] = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    double values[kRounds][kLength];
    for (int i = 0; i < kLength; i++) values[round][i] = 100 * round;
    of_sections(kLength, values[round], round);
  }
  CHECK_EQ(of_the_file[5], kTasks * kRounds);
  check_statements(kRounds);
}

/* Pointers that lead elsewhere at each execution. */
static void pointers(void) {
  long memory[kRounds][4], *at = memory[0];
  memset(memory, 0, sizeof memory);
  statements = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    at = memory[round];
#pragma omp taskgroup task_reduction(+ : at[1 : 2])
    {
#pragma omp taskgraph
      {
        statements++;
        for (int i = 0; i < kTasks; i++) {
#pragma omp task in_reduction(+ : at[1 : 2])
          at[1 + i % 2] += i;
        }
      }
    }
  }
  for (int round = 0; round < kRounds; round++) {
    CHECK_EQ(memory[round][0] + memory[round][3], 0);
    CHECK_EQ(memory[round][1], 56);
    CHECK_EQ(memory[round][2], 64);
  }
  check_statements(kRounds);
}

static void taskloops(void) {
  statements = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    long sum = round, product = 1;
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product)
    {
#pragma omp taskgraph
      {
        statements++;
#pragma omp taskloop nogroup in_reduction(+ : sum) in_reduction(* : product) grainsize(3)
        for (int i = 1; i <= 20; i++) {
          sum += i;
          if (i % 8 == 0) product *= 3;
        }
      }
    }
    CHECK_EQ(sum, round + 210);
    CHECK_EQ(product, 9);
  }
  check_statements(kRounds);
}

/* All threads execute the graph, each with private copies of its own. */
static void of_region(void) {
  long sum = 0, threads = 1;
  statements = 0;
#pragma omp parallel reduction(task, + : sum) shared(threads)
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int round = 0; round < kRounds; round++) {
#pragma omp taskgraph
      for (int i = 0; i < kTasks; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += i;
      }
    }
    sum += 1000;
  }
  CHECK_EQ(sum, threads * (1000 + kRounds * kTasks * (kTasks - 1) / 2));
}

/* Below a replayed task: its own reductions, and tasks that take part in the one around. */
static void inside(void) {
  statements = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    long sum = 0, check = 0;
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp taskgraph
      {
        statements++;
        for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : sum) shared(check)
          {
            long own = 0;
#pragma omp taskloop reduction(+ : own)
            for (int j = 0; j < 10; j++) own += j;
            sum += own;
#pragma omp task in_reduction(+ : sum)
            sum += 1;
#pragma omp atomic
            check += own;
          }
        }
      }
    }
    CHECK_EQ(sum, 4 * 46);
    CHECK_EQ(check, 4 * 45);
  }
  check_statements(kRounds);
}

/* The taskgroup of a reduction cannot be recorded, so the function executes it each time. */
static void __attribute__((noinline)) reduce(long* result) {
  long sum = 0;
#pragma omp taskloop reduction(+ : sum) replayable
  for (int i = 0; i < 10; i++) sum += i;
  *result += sum;
}

static void of_function(void) {
  long result = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp taskgraph
    reduce(&result);
  }
  CHECK_EQ(result, 45 * kRounds);
}

int main(void) {
  CHECK_BEGIN();
  int first = 0;
  for (int round = 0; round < 2; round++) {
#pragma omp taskgraph
    first++;
  }
  replays = first == 1;
  RUN(taskgroups);
  RUN(sections);
  RUN(pointers);
  RUN(taskloops);
  RUN(of_region);
  RUN(inside);
  RUN(of_function);
  return check_end();
}
