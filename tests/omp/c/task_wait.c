/* SPDX-License-Identifier: Apache-2.0
 * taskwait (children only), taskwait depend, taskgroup (all descendants), taskyield; waits inside
 * tasks inside waits. */
#include <sched.h>

#include "check.h"

/* taskwait waits for children: they are complete after it, every time. */
static void children(void) {
#pragma omp parallel
  {
    for (int round = 1; round <= 10; round++) {
      int done = 0;
      for (int i = 0; i < round; i++) {
#pragma omp task shared(done)
        add_one(&done);
      }
#pragma omp taskwait
      CHECK_EQ(done, round);
    }
  }
}

static void grandchildren(void) {
  int rounds = repeats(100);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < rounds; round++) {
    int done = 0;
#pragma omp taskgroup
    {
      for (int i = 0; i < 4; i++) {
#pragma omp task shared(done)
        {
          for (int k = 0; k < 3; k++) {
#pragma omp task shared(done)
            {
#pragma omp task shared(done)
              add_one(&done);
              add_one(&done);
            }
          }
          add_one(&done);
        }
      }
    }
    CHECK_EQ(done, 28);
  }
}

/* A taskgroup does not wait for tasks made before it. A task may run at once, in the thread that
 * encounters it. Then it must not wait for later code. */
static void group_is_own(void) {
  int gate = 0, done = 0;
#pragma omp parallel shared(gate, done)
#pragma omp single
  {
    int maker = omp_get_thread_num();
#pragma omp task shared(gate)
    while (omp_get_thread_num() != maker && !load(&gate)) sched_yield();
#pragma omp taskgroup
    {
#pragma omp task if (0) shared(done)
      add_one(&done);
    }
    store(&gate, 1);
  }
  CHECK_EQ(done, 1);
}

static void nested_groups(void) {
  int outer = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    for (int i = 0; i < 5; i++) {
#pragma omp task shared(outer)
      {
        int inner = 0;
#pragma omp taskgroup
        for (int k = 0; k < 5; k++) {
#pragma omp task shared(inner)
          add_one(&inner);
        }
        CHECK_EQ(inner, 5);
        add_one(&outer);
      }
    }
    CHECK_EQ(outer, 5);
  }
}

static void wait_depend(void) {
  int a = 0, b = 0, gate = 0;
#pragma omp parallel shared(a, b, gate)
#pragma omp single
  {
    for (int round = 1; round <= 20; round++) {
#pragma omp task depend(out : a) shared(a)
      a = round;
#pragma omp task depend(out : b) shared(b)
      b = -round;
#pragma omp taskwait depend(in : a)
      CHECK_EQ(a, round);
#pragma omp taskwait depend(inout : b) depend(in : a)
      CHECK_EQ(b, -round);
    }
    /* It waits only for the named tasks; the gate may still hold the other one. */
    int maker = omp_get_thread_num();
#pragma omp task depend(out : b) shared(gate)
    while (omp_get_thread_num() != maker && !load(&gate)) sched_yield();
#pragma omp task depend(out : a) shared(a)
    a = 1000;
#pragma omp taskwait depend(in : a)
    CHECK_EQ(a, 1000);
    store(&gate, 1);
  }
}

/* An undeferred task with dependences waits for them in place. */
static void undeferred_depend(void) {
  int a = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 30; round++) {
#pragma omp task depend(inout : a) shared(a)
    a++;
#pragma omp task depend(in : a) if (0) shared(a) firstprivate(round)
    CHECK_EQ(a, round + 1);
  }
}

static void yielding(void) {
  int done = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(done)
      {
#pragma omp taskyield
        add_one(&done);
      }
#pragma omp taskyield
    }
  }
  CHECK_EQ(done, 20 * omp_get_max_threads());
}

/* A chain of waits: each task waits for one child. It is as deep as UTS T3L, which is deeper than a
 * stack. With sanitizers, which allow no change of stacks, it is less deep. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { kChain = 1000 };
#else
enum { kChain = 17844 };
#endif
static int depth_reached;

static void chain(int depth) {
  if (depth == 0) {
    add_one(&depth_reached);
    return;
  }
#pragma omp task
  chain(depth - 1);
#pragma omp taskwait
}

static void deep_chain(void) {
  depth_reached = 0;
#pragma omp parallel
#pragma omp single
  chain(kChain);
  CHECK_EQ(depth_reached, 1);
  depth_reached = 0;
#pragma omp parallel
  chain(60);
  CHECK_EQ(depth_reached, omp_get_max_threads());
}

/* Without waiting: tasks that outlive their ancestors many levels up. */
static void orphans(int depth) {
  if (depth == 0) {
    add_one(&depth_reached);
    return;
  }
#pragma omp task
  orphans(depth - 1);
}

static void outliving(void) {
  depth_reached = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 5; i++) orphans(300);
  CHECK_EQ(depth_reached, 5);
}

int main(void) {
  CHECK_BEGIN();
  RUN(children);
  RUN(grandchildren);
  RUN(group_is_own);
  RUN(nested_groups);
  RUN(wait_depend);
  RUN(undeferred_depend);
  RUN(yielding);
  RUN(deep_chain);
  RUN(outliving);
  return check_end();
}
