// SPDX-License-Identifier: Apache-2.0
// The order of tasks with priorities, and that a long queue of them costs each no more than a short
// one. Run with OMP_MAX_TASK_PRIORITY=5.
#include <sched.h>

#include "check.h"

enum { kTasks = 120000, kPriorities = 6 };

static int order[kTasks];

// All but the maker are busy until it has executed all.
static void by_one_thread(void) {
  int executed = 0;
#pragma omp parallel shared(executed)
  {
    if (omp_get_thread_num() == 0 && omp_get_num_threads() > 1) {
      for (int i = 0; i < kTasks; i++) {
#pragma omp task priority(1 + i % (kPriorities - 1)) firstprivate(i) shared(executed)
        order[__atomic_fetch_add(&executed, 1, __ATOMIC_RELAXED)] = i;
      }
#pragma omp taskwait
      __atomic_store_n(&executed, kTasks + 1, __ATOMIC_RELEASE);
    }
    while (omp_get_num_threads() > 1 && load(&executed) <= kTasks) sched_yield();
  }
  for (int at = 1; at < kTasks && executed == kTasks + 1; at++) {
    int before = order[at - 1] % (kPriorities - 1), now = order[at] % (kPriorities - 1);
    CHECK(before > now || (before == now && order[at - 1] < order[at]));
  }
}

static void by_all_threads(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < kTasks; i++) {
#pragma omp task priority(i % kPriorities) shared(sum)
    __atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
  }
  CHECK_EQ(sum, kTasks);
}

/* Those that wait are offered, each time, a long queue of tasks that they may not begin. */
static void by_waiting_tasks(void) {
  int sum = 0, made = 0;
#pragma omp parallel shared(sum, made)
  {
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < kTasks; i++) {
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
  CHECK_EQ(sum, kTasks);
}

int main(void) {
  CHECK_BEGIN();
  RUN(by_one_thread);
  RUN(by_all_threads);
  RUN(by_waiting_tasks);
  return check_end();
}
