// SPDX-License-Identifier: Apache-2.0
// The order of tasks with priorities. A task in a long queue of them must cost no more than in a
// short one. Run with OMP_MAX_TASK_PRIORITY=5.
#include <sched.h>

#include "check.h"

enum { kMostTasks = kSlow ? 20000 : 120000, kPriorities = 6 };

static int tasks = kMostTasks;
static int order[kMostTasks];

// All threads except the maker are busy until the maker has executed all tasks.
static void by_one_thread(void) {
  int executed = 0;
#pragma omp parallel shared(executed)
  {
    if (omp_get_thread_num() == 0 && omp_get_num_threads() > 1) {
      for (int i = 0; i < tasks; i++) {
#pragma omp task priority(1 + i % (kPriorities - 1)) firstprivate(i) shared(executed)
        order[__atomic_fetch_add(&executed, 1, __ATOMIC_RELAXED)] = i;
      }
#pragma omp taskwait
      __atomic_store_n(&executed, tasks + 1, __ATOMIC_RELEASE);
    }
    while (omp_get_num_threads() > 1 && load(&executed) <= tasks) sched_yield();
  }
  for (int at = 1; at < tasks && executed == tasks + 1; at++) {
    int before = order[at - 1] % (kPriorities - 1), now = order[at] % (kPriorities - 1);
    CHECK(before > now || (before == now && order[at - 1] < order[at]));
  }
}

static void by_all_threads(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < tasks; i++) {
#pragma omp task priority(i % kPriorities) shared(sum)
    __atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
  }
  CHECK_EQ(sum, tasks);
}

/* Waiting tasks are offered, each time, a long queue of tasks that they may not begin. */
static void by_waiting_tasks(void) {
  int sum = 0, made = 0;
#pragma omp parallel shared(sum, made)
  {
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < tasks; i++) {
#pragma omp task priority(1) firstprivate(i) shared(sum)
        {
          int children = 0;
#pragma omp task priority(i % kPriorities) shared(children)
          add_one(&children);
#pragma omp taskwait
          __atomic_fetch_add(&sum, load(&children), __ATOMIC_RELAXED);
        }
      }
      __atomic_store_n(&made, 1, __ATOMIC_RELEASE);
    }
    while (!load(&made)) sched_yield();
  }
  CHECK_EQ(sum, tasks);
}

static void make_tasks(int* sum) {
  for (int i = 0; i < tasks; i++) {
#pragma omp task priority(1)
    add_one(sum);
  }
}

/* The tasks for which thread 1 waits lie behind as many that it may not begin. */
static void by_its_own_thread(void) {
  int first = 0, second = 0, made = 0, waited = 0;
#pragma omp parallel shared(first, second, made, waited)
  if (omp_get_num_threads() > 1) {
    if (omp_get_thread_num() == 0) {
      make_tasks(&first);
      __atomic_store_n(&made, 1, __ATOMIC_RELEASE);
    }
    while (!load(&made)) sched_yield();
    if (omp_get_thread_num() == 1) {
      make_tasks(&second);
#pragma omp taskwait
      CHECK_EQ(load(&second), tasks);
      __atomic_store_n(&waited, 1, __ATOMIC_RELEASE);
    }
    while (!load(&waited)) sched_yield();
  }
  CHECK_EQ(first, second);
}

/* Tasks are queued at many depths, and for each of two priorities. In a team of one, here and in
 * the next case, each would run at once, so all would be nested within each other. */
static void step(int left, int* sum) {
  if (left == 0) return;
#pragma omp task priority(2)
  add_one(sum);
#pragma omp task priority(1)
  add_one(sum);
#pragma omp task priority(3)
  step(left - 1, sum);
}

static void by_each_step(void) {
  int sum = 0, team = 1;
#pragma omp parallel shared(sum, team)
#pragma omp single
  {
    team = omp_get_num_threads();
    if (team > 1) step(tasks, &sum);
  }
  CHECK_EQ(sum, team > 1 ? 2 * tasks : 0);
}

/* Tasks that create themselves again let other tasks begin that were queued before them. */
static void poll(const int* done) {
  if (load(done) >= tasks) return;
#pragma omp task priority(1)
  poll(done);
}

static void by_polling(void) {
  int done = 0, team = 1;
#pragma omp parallel shared(done, team)
  if (omp_get_num_threads() > 1) {
#pragma omp task priority(1) shared(done)
    poll(&done);
#pragma omp single
    {
      team = omp_get_num_threads();
      make_tasks(&done);
    }
  }
  CHECK_EQ(done, team > 1 ? tasks : 0);
}

int main(void) {
  CHECK_BEGIN();
  if (omp_get_max_threads() > 8) tasks = kMostTasks / 10; /* A cost that grows shows with few. */
  RUN(by_one_thread);
  RUN(by_all_threads);
  RUN(by_waiting_tasks);
  RUN(by_its_own_thread);
  RUN(by_each_step);
  RUN(by_polling);
  return check_end();
}
