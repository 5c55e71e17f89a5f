/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the parents that have made way goes on first: in the thread that suspended them, and in
 * a thief. With creation=continuation a parent waits in the queue while its child runs. */
#include <bobbin/bobbin.h>

#include "check.h"

#pragma weak bobbin_set_task_policy

enum { kParents = 3 };

typedef struct {
  int order[kParents + 1]; /* the levels, as their tasks go on */
  int count;
  int all_queued;
  int leaf_may_end;
} Run;

static void note(Run* run, int level) {
  run->order[run->count++] = level;
  if (run->count == kParents) store(&run->leaf_may_end, 1);
}

/* Parents above each other, the oldest one at level 0. Their innermost child finds all of them in
 * the queue. */
static void descend(Run* run, int level) {
  if (level == kParents) {
    store(&run->all_queued, 1);
    while (!load(&run->leaf_may_end)) usleep(50);
  } else {
#pragma omp task untied firstprivate(run, level)
    descend(run, level + 1);
  }
  note(run, level);
}

/* Thread 0 suspends the parents. Thread 1 takes none of them, or all of them while thread 0 is in
 * the innermost child. */
static Run observe(const char* policy, int thief) {
  Run run = {.leaf_may_end = !thief};
  int arrived = 0, over = 0;
  CHECK_EQ(bobbin_set_task_policy(policy), 0);
#pragma omp parallel num_threads(2) shared(run, arrived, over)
  {
    CHECK_EQ(omp_get_num_threads(), 2);
    if (omp_get_thread_num() == 0) {
      while (!load(&arrived)) usleep(50);
#pragma omp taskgroup
      {
#pragma omp task untied shared(run)
        descend(&run, 0);
      }
      store(&over, 1);
    } else {
      store(&arrived, 1);
      while (!load(thief ? &run.all_queued : &over)) usleep(50);
    }
  }
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
  CHECK_EQ(run.count, kParents + 1);
  return run;
}

#define CHECK_ORDER(run, a, b, c, d) \
  CHECK((run).order[0] == a && (run).order[1] == b && (run).order[2] == c && (run).order[3] == d)

static void own_order(void) {
  Run youngest = observe("creation=continuation,order=lifo", 0);
  CHECK_ORDER(youngest, 3, 2, 1, 0);
  youngest = observe("creation=continuation,order=lifo,queue=locked", 0);
  CHECK_ORDER(youngest, 3, 2, 1, 0);
  Run oldest = observe("creation=continuation,order=fifo", 0);
  CHECK_ORDER(oldest, 3, 0, 1, 2);
  oldest = observe("creation=continuation,order=fifo,queue=locked", 0);
  CHECK_ORDER(oldest, 3, 0, 1, 2);
}

static void order_of_thieves(void) {
  Run oldest = observe("creation=continuation,amount=one", 1);
  CHECK_ORDER(oldest, 0, 1, 2, 3);
  oldest = observe("creation=continuation,steal=fifo,amount=one,queue=locked", 1);
  CHECK_ORDER(oldest, 0, 1, 2, 3);
  Run youngest = observe("creation=continuation,steal=lifo,amount=one,queue=locked", 1);
  CHECK_ORDER(youngest, 2, 1, 0, 3);
}

static int come_first(int* first, int who) {
  int nobody = 0;
  return __atomic_compare_exchange_n(first, &nobody, who, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* A thread ends a child whose parent waits in thread 2's queue. Another suspended task waits in
 * that of thread 1, where a thief looks first otherwise. Returns whether the parent goes on first.
 */
static int parent_goes_on_first(const char* policy) {
  int other_is_queued = 0, parent_is_queued = 0, parent_is_there = 0, first = 0, both = 0;
  CHECK_EQ(bobbin_set_task_policy(policy), 0);
#pragma omp parallel num_threads(3) \
    shared(other_is_queued, parent_is_queued, parent_is_there, first, both)
  {
    CHECK_EQ(omp_get_num_threads(), 3);
    const int me = omp_get_thread_num();
    if (me == 1) {
#pragma omp task untied
      {
#pragma omp task untied
        {
          store(&other_is_queued, 1);
          while (!load(&both)) usleep(50);
        }
        if (!come_first(&first, 1)) store(&both, 1);
      }
    } else if (me == 0) {
      while (!load(&other_is_queued)) usleep(50);
#pragma omp task untied
      {
#pragma omp task untied
        {
          store(&parent_is_queued, 1);
          while (!load(&parent_is_there)) usleep(50);
        }
        CHECK_EQ(omp_get_thread_num(), 2);
#pragma omp task untied
        {
          store(&parent_is_there, 1);
          while (!load(&both)) usleep(50);
        }
        if (!come_first(&first, 2)) store(&both, 1);
      }
    } else {
      while (!load(&parent_is_queued)) usleep(50);
    }
  }
  CHECK_EQ(bobbin_set_task_policy(NULL), 0);
  return first == 2;
}

static void parent_first(void) {
  for (int round = 0; round < 5; round++) {
    CHECK(parent_goes_on_first("creation=continuation,steal=parent,amount=one"));
    CHECK(parent_goes_on_first("creation=continuation,steal=parent,amount=one,queue=locked"));
  }
}

int main(void) {
  CHECK_BEGIN();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  RUN(own_order);
  RUN(order_of_thieves);
  RUN(parent_first);
#endif
  return check_end();
}
