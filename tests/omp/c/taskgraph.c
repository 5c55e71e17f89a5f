/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of tasks that are recorded at the first execution of their region and replayed later. */
#include <omp.h>
#include <string.h>

#include "check.h"

enum { kRounds = 30, kChain = 20 };

static int statements;

/* Each task follows the one before it. The variables are in another place at each call. */
static void __attribute__((noinline)) chain(int round) {
  int next = 0, values[kChain];
  memset(values, 0, sizeof values);
#pragma omp taskgraph
  {
    statements++;
    for (int i = 0; i < kChain; i++) {
#pragma omp task depend(inout : next) shared(next, values) firstprivate(i)
      {
        CHECK_EQ(next++, i);
        values[i] = 10 * i;
      }
    }
  }
  CHECK_EQ(next, kChain);
  for (int i = 0; i < kChain; i++) CHECK_EQ(values[i], 10 * i);
  (void)round;
}

static void __attribute__((noinline)) at_depth(int depth, int round) {
  volatile char frame[100];
  memset((char*)frame, 0x55, sizeof frame);
  if (depth > 0) {
    at_depth(depth - 1, round);
  } else {
    chain(round);
  }
  CHECK_EQ(frame[0], 0x55);
}

static void chains(void) {
  statements = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) at_depth(round % 7, round);
  CHECK_EQ(statements, 1);
  for (int round = 0; round < 3; round++) at_depth(round, round); /* without a team */
  CHECK_EQ(statements, 1);
}

/* All kinds of dependences. Each task reads what those before it must have written. */
static void kinds(void) {
  int first = 0, second = 0, sum = 0, order = 0, last = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    first = second = sum = order = last = 0;
#pragma omp taskgraph graph_id(round % 2)
    {
#pragma omp task depend(out : first)
      first = 1;
      for (int i = 0; i < 5; i++) {
#pragma omp task depend(in : first) depend(mutexinoutset : sum)
        {
          CHECK_EQ(first, 1);
          sum++;
        }
#pragma omp task depend(inoutset : second)
#pragma omp atomic
        second++;
      }
#pragma omp task depend(in : second, sum) priority(3) untied
      {
        CHECK_EQ(sum, 5);
        CHECK_EQ(second, 5);
        order = 1;
      }
#pragma omp taskwait nowait depend(inout : second)
#pragma omp task depend(inout : omp_all_memory) final(1)
      {
        CHECK_EQ(order, 1);
        last = sum;
      }
#pragma omp task depend(in : first)
      CHECK_EQ(last, 5);
    }
    CHECK_EQ(last, 5);
  }
}

/* Private variables have the values that they had when the tasks were recorded. */
static void saved(void) {
  long list[3] = {1, 2, 3}, sum = 0;
  int value = 7;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    value = 7 + round;
    list[1] = 2 + round;
#pragma omp taskgraph
    {
#pragma omp task firstprivate(saved : value) firstprivate(list) shared(sum)
      {
        CHECK_EQ(value, 7);
        CHECK_EQ(list[1], 2);
        value++;
        list[1]++;
#pragma omp atomic
        sum += list[2];
      }
    }
  }
  CHECK_EQ(sum, 3 * kRounds);
}

static void clauses(void) {
  int executed = 0, recorded = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp taskgraph graph_reset(round % 10 == 0) if (round != 5) nogroup
    {
      recorded++;
#pragma omp task
#pragma omp atomic
      executed++;
    }
#pragma omp taskwait
    CHECK_EQ(executed, round + 1);
  }
  CHECK_EQ(recorded, 3 + 1);
}

static void taskloops(void) {
  enum { kLength = 1000 };
  int n = kLength, last = 0;
  int values[n];
  memset(values, 0, sizeof values);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    last = -1;
#pragma omp taskgraph
    {
#pragma omp taskloop nogroup grainsize(9) shared(values) lastprivate(last)
      for (int i = 0; i < n; i++) {
        values[i]++;
        last = i;
      }
#pragma omp taskloop simd nogroup num_tasks(2) shared(statements)
      for (int i = 0; i < 2; i++) {
        int unused = i;
        (void)unused;
      }
    }
    CHECK_EQ(last, kLength - 1);
  }
  for (int i = 0; i < n; i++) CHECK_EQ(values[i], kRounds);
}

/* Tasks that functions make are recorded if they say so. Others are executed once. */
static int orphaned, plain, chosen;

static void __attribute__((noinline)) make_tasks(int choice) {
#pragma omp task replayable
#pragma omp atomic
  orphaned++;
#pragma omp task
#pragma omp atomic
  plain++;
#pragma omp task replayable(choice)
#pragma omp atomic
  chosen++;
}

static void replayable(void) {
  int not = 0;
  orphaned = plain = chosen = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp taskgraph
    {
#pragma omp task replayable(0) shared(not)
#pragma omp atomic
      not++;
      make_tasks(0);
      make_tasks(1);
    }
  }
  make_tasks(1);
#pragma omp taskwait
  CHECK_EQ(orphaned, 2 * kRounds + 1);
  CHECK_EQ(plain, 2 + 1);
  CHECK_EQ(chosen, kRounds + 1 + 1);
  CHECK_EQ(not, 1);
}

/* Replayed tasks are tasks like others: they have children, ICVs, dependences of their own. */
static void nested(void) {
  int leaves = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp taskgraph
    for (int i = 0; i < 8; i++) {
#pragma omp task shared(leaves) firstprivate(i)
      {
        int order = 0;
        CHECK_EQ(omp_get_dynamic(), 0);
        omp_set_dynamic(1);
        for (int j = 0; j < 4; j++) {
#pragma omp task shared(order, leaves) firstprivate(j) depend(inout : order)
          {
            CHECK_EQ(order++, j);
            CHECK_EQ(omp_get_dynamic(), 1);
#pragma omp task shared(leaves)
#pragma omp atomic
            leaves++;
          }
        }
#pragma omp taskwait
        CHECK_EQ(order, 4);
        if (i % 2 == 0) {
#pragma omp task shared(leaves) /* it may outlive its parent */
#pragma omp atomic
          leaves++;
        }
      }
    }
    CHECK_EQ(leaves, (round + 1) * (8 * 4 + 4));
  }
}

/* A variable of the file is shared, also if a clause names it. */
static int of_the_file;

static void globals(void) {
  of_the_file = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp taskgraph
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : of_the_file)
      of_the_file++;
    }
  }
  CHECK_EQ(of_the_file, 10 * kRounds);
}

/* Tasks before the region, on which its tasks depend. */
static void before(void) {
  int x = 0, seen = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp task depend(out : x) shared(x) firstprivate(round)
    x = round;
#pragma omp taskgraph
    {
#pragma omp task depend(in : x) shared(x, seen)
      seen += x;
    }
  }
  CHECK_EQ(seen, kRounds * (kRounds - 1) / 2);
}

/* The same graph, by all threads at once, and within its own tasks. */
static void __attribute__((noinline)) use(int* total, int depth) {
  int steps = 0;
#pragma omp taskgraph
  for (int i = 0; i < 6; i++) {
#pragma omp task depend(inout : steps) shared(steps, total) firstprivate(depth, i)
    {
      CHECK_EQ(steps++, i);
#pragma omp atomic
      (*total)++;
      if (depth > 0 && i == 3) use(total, depth - 1);
    }
  }
  CHECK_EQ(steps, 6);
}

static void at_once(void) {
  int total = 0, threads = 1;
#pragma omp parallel shared(total, threads)
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int round = 0; round < kRounds; round++) use(&total, 0);
  }
  CHECK_EQ(total, 6 * kRounds * threads);
}

static void __attribute__((noinline)) descend(int* total, int depth) {
#pragma omp taskgraph graph_id(1)
  {
#pragma omp task shared(total, depth)
    {
#pragma omp atomic
      (*total)++;
      if (depth > 0) descend(total, depth - 1);
    }
  }
}

static void recursion(void) {
  int total = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; round++) descend(&total, 5);
  CHECK_EQ(total, 60);
}

/* What cannot be recorded is executed each time. */
static void unrecordable(void) {
  int executed = 0, order = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp task shared(order) depend(out : order)
    order = 0;
#pragma omp taskgraph
    {
#pragma omp task shared(order) depend(inout : order)
      CHECK_EQ(order++, 0);
#pragma omp task if (round < 0) shared(executed, order) depend(inout : order)
      {
        CHECK_EQ(order++, 1);
        executed++;
      }
#pragma omp task shared(order) depend(inout : order)
      CHECK_EQ(order++, 2);
    }
    CHECK_EQ(order, 3);
    CHECK_EQ(executed, round + 1);
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(chains);
  RUN(kinds);
  RUN(saved);
  RUN(clauses);
  RUN(taskloops);
  RUN(replayable);
  RUN(nested);
  RUN(globals);
  RUN(before);
  RUN(at_once);
  RUN(recursion);
  RUN(unrecordable);
  return check_end();
}
