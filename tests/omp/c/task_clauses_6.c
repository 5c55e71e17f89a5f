/* SPDX-License-Identifier: Apache-2.0 */
/* Clauses of OpenMP 6.0 for tasks and regions, and Bobbin's own ompx_task_schedule. */
#include <omp.h>
#include <string.h>

#include "bobbin/bobbin.h"
#include "check.h"

enum { kBlocks = 12, kRounds = 10 };

/* Each transparent task makes the tasks of its row. They follow those of the row before. */
static void transparent(void) {
  int block[kBlocks] = {0}, order[kBlocks] = {0};
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
#pragma omp task transparent(omp_impex) depend(inout : block[0], block[1], block[2]) \
    shared(block, order) firstprivate(round)
    for (int i = 0; i < 3; i++) {
#pragma omp task depend(inout : block[i]) shared(block, order) firstprivate(round, i)
      {
        CHECK_EQ(order[i]++, round);
        block[i]++;
      }
    }
  }
  for (int i = 0; i < 3; i++) CHECK_EQ(block[i], kRounds);
}

/* An undeferred task that exports: its child comes before its parent's next one. */
static void exporting(void) {
  int x = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    int direction = omp_get_thread_num() >= 0 ? 2 : 0; /* omp_export */
    x = 0;
#pragma omp task if (0) transparent(direction) shared(x)
    {
#pragma omp task depend(out : x) shared(x)
      x = 1;
    }
#pragma omp task depend(in : x) shared(x)
    CHECK_EQ(x, 1);
#pragma omp taskwait
#pragma omp task if (1) transparent shared(x) /* it has no dependences, so it has no effect */
    x = 2;
#pragma omp task depend(inout : x) shared(x)
    x = 3;
#pragma omp taskwait
  }
}

static void threadset(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task threadset(omp_pool) shared(sum)
#pragma omp atomic
    sum += 1;
#pragma omp taskloop threadset(omp_team) shared(sum)
    for (int i = 0; i < 100; i++)
#pragma omp atomic
      sum += 2;
  }
  CHECK_EQ(sum, 201);
}

static void strict(void) {
  int sum = 0;
#pragma omp parallel num_threads(strict : 1) severity(fatal) message("one thread there is")
#pragma omp atomic
  sum++;
#pragma omp parallel for num_threads(strict : 1) reduction(+ : sum) schedule(static)
  for (int i = 0; i < 10; i++) sum++;
  CHECK_EQ(sum, 11);
}

static const char* policy(void) {
  static char text[300];
  bobbin_get_task_policy(text, sizeof text);
  return text;
}

static void schedule(void) {
  int sum = 0, seen = 0;
  char before[300];
  strcpy(before, policy());
  const char* wanted = "creation=breadth-first";
#pragma omp parallel ompx_task_schedule(policy : wanted) shared(sum, seen)
#pragma omp single
  {
    seen = strstr(policy(), wanted) != NULL;
#pragma omp taskgroup ompx_task_schedule(policy : "cutoff=tasks:4")
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(sum)
#pragma omp atomic
      sum++;
    }
  }
  CHECK_EQ(sum, 100);
  CHECK(seen);
  CHECK_EQ(strcmp(before, policy()), 0);
}

/* Each task waits for what its creator does after it has made all of them. */
static void wait_for_creator(int tasks) {
  int ready = 0, done = 0;
#pragma omp taskgroup ompx_task_schedule(hint : concurrent)
  {
    for (int i = 0; i < tasks; i++) {
#pragma omp task shared(ready, done)
      {
        while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) == 0) sched_yield();
#pragma omp atomic
        done++;
      }
    }
    __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
  }
  CHECK_EQ(done, tasks);
}

static void hints(void) {
  int sum = 0, seen = 0;
#pragma omp parallel ompx_task_schedule(hint : balanced) shared(sum, seen)
#pragma omp single
  {
    seen = strstr(policy(), "creation=work-first") != NULL;
#pragma omp taskgroup ompx_task_schedule(hint : unbalanced)
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(sum)
#pragma omp atomic
      sum++;
    }
    if (omp_get_num_threads() > 1) wait_for_creator(1000);
  }
  CHECK(seen);
  CHECK_EQ(sum, 100);
}

/* A scheduler that keeps its tasks in a stack. */
struct stack {
  omp_lock_t lock;
  int count, handed;
  bobbin_task tasks[1000];
};

static void put(void* user, int thread, bobbin_task task, const bobbin_task_facts* facts) {
  struct stack* stack = user;
  (void)facts, (void)thread;
  omp_set_lock(&stack->lock);
  stack->tasks[stack->count++] = task;
  stack->handed++;
  omp_unset_lock(&stack->lock);
}

static bobbin_task take(void* user, int thread) {
  struct stack* stack = user;
  (void)thread;
  omp_set_lock(&stack->lock);
  bobbin_task task = stack->count > 0 ? stack->tasks[--stack->count] : 0;
  omp_unset_lock(&stack->lock);
  return task;
}

static void scheduler(void) {
  static struct stack stack;
  int sum = 0, threads = 1;
  bobbin_scheduler calls = {.ready = put, .next = take};
  omp_init_lock(&stack.lock);
#pragma omp parallel shared(sum, threads)
#pragma omp single
  {
    threads = omp_get_num_threads();
#pragma omp taskgroup ompx_task_schedule(scheduler : &calls, &stack)
    for (int i = 0; i < 50; i++) {
#pragma omp task shared(sum)
#pragma omp atomic
      sum++;
    }
  }
  CHECK_EQ(sum, 50);
  CHECK_EQ(stack.handed, threads > 1 ? 50 : 0);
  omp_destroy_lock(&stack.lock);
}

int main(void) {
  CHECK_BEGIN();
  RUN(transparent);
  RUN(exporting);
  RUN(threadset);
  RUN(strict);
  RUN(schedule);
  RUN(hints);
  RUN(scheduler);
  return check_end();
}
