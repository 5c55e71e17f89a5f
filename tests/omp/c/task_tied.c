/* SPDX-License-Identifier: Apache-2.0
 * Tied tasks stay in the thread in which they began. The task scheduling constraint: while a thread
 * holds a tied task suspended outside of a barrier, it begins only descendants of that task.
 * Programs rely on this when they hold a lock, or a threadprivate value, across a taskwait. */
#include <sched.h>

#include "check.h"

typedef struct Task Task;
struct Task {
  Task* parent;
  Task* below; /* the task that this thread held suspended before */
};

static __thread Task* suspended;

static int is_descendant(const Task* task, const Task* of) {
  for (; task != NULL; task = task->parent)
    if (task == of) return 1;
  return 0;
}

static void begin(Task* task, Task* parent) {
  task->parent = parent;
  if (suspended != NULL) CHECK(is_descendant(task, suspended));
}

static void before_wait(Task* task) {
  task->below = suspended;
  suspended = task;
}

static void after_wait(Task* task) {
  CHECK(suspended == task);
  suspended = task->below;
}

static int leaves;

static void tree(Task* self, int depth) {
  int me = omp_get_thread_num();
  if (depth == 0) {
    add_one(&leaves);
    return;
  }
  for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(self)
    {
      Task task;
      begin(&task, self);
      tree(&task, depth - 1);
    }
  }
  before_wait(self);
#pragma omp taskwait
  after_wait(self);
  CHECK_EQ(omp_get_thread_num(), me);
}

static void constraint(void) {
  leaves = 0;
#pragma omp parallel
  {
    Task root = {NULL, NULL};
    suspended = NULL;
#pragma omp for nowait schedule(static, 1)
    for (int i = 0; i < 4; i++) tree(&root, 4);
    before_wait(&root);
#pragma omp taskwait
    after_wait(&root);
#pragma omp barrier
  }
  CHECK_EQ(leaves, 4 * 81);
}

static void group_tree(Task* self, int depth) {
  if (depth == 0) {
    add_one(&leaves);
    return;
  }
  before_wait(self);
#pragma omp taskgroup
  {
    suspended = self->below; /* not waiting yet */
    for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(self)
      {
        Task task;
        begin(&task, self);
        group_tree(&task, depth - 1);
      }
    }
    suspended = self;
  }
  after_wait(self);
}

static void constraint_in_taskgroup(void) {
  leaves = 0;
#pragma omp parallel
  {
    Task root = {NULL, NULL};
    suspended = NULL;
#pragma omp for nowait schedule(static, 1)
    for (int i = 0; i < 4; i++) group_tree(&root, 4);
#pragma omp taskwait
#pragma omp barrier
  }
  CHECK_EQ(leaves, 4 * 81);
}

/* A lock held across a taskwait: this thread must not begin unrelated tasks that want it. */
static void lock_across_wait(void) {
  omp_lock_t lock;
  int count = 0, children = 0;
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 60; i++) {
#pragma omp task shared(lock, count, children)
    {
      omp_set_lock(&lock);
      int before = count;
      for (int k = 0; k < 3; k++) {
#pragma omp task shared(children)
        add_one(&children);
      }
#pragma omp taskwait
      CHECK_EQ(count, before);
      count = before + 1;
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  CHECK_EQ(count, 60);
  CHECK_EQ(children, 180);
}

static void critical_across_wait(void) {
  int count = 0;
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 40; i++) {
#pragma omp task shared(count)
    {
#pragma omp critical(across)
      {
        int before = count;
#pragma omp task
        sched_yield();
#pragma omp taskwait
        CHECK_EQ(count, before);
        count = before + 1;
      }
    }
  }
  CHECK_EQ(count, 40);
}

static int private_value;
#pragma omp threadprivate(private_value)

/* The threadprivate copy stays that of the task's own thread across its waits. */
static void stays_on_its_thread(void) {
#pragma omp parallel
  {
    private_value = omp_get_thread_num();
#pragma omp barrier
    for (int i = 0; i < 10; i++) {
#pragma omp task
      {
        int me = omp_get_thread_num(), *where = &private_value;
        CHECK_EQ(private_value, me);
        for (int k = 0; k < 3; k++) {
#pragma omp task
          CHECK_EQ(private_value, omp_get_thread_num());
#pragma omp taskyield
#pragma omp taskwait
          CHECK_EQ(omp_get_thread_num(), me);
          CHECK_EQ(private_value, me);
          CHECK(where == &private_value);
        }
      }
    }
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(constraint);
  RUN(constraint_in_taskgroup);
  RUN(lock_across_wait);
  RUN(critical_across_wait);
  RUN(stays_on_its_thread);
  return check_end();
}
