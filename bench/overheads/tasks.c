// SPDX-License-Identifier: Apache-2.0
// Tasks in the patterns of EPCC's task suite, and tasks with dependences.
#include "overhead.h"

static long parallel_tasks(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp task
    delay(tally);
  }
  return end_tally(tally);
}

static long master_tasks(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
#pragma omp masked
  for (long r = 0; r < reps * team_size; r++) {
#pragma omp task
    delay(tally);
  }
  return end_tally(tally);
}

static long master_tasks_others_busy(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
    if (omp_get_thread_num() == 0) {
#pragma omp task
      delay(tally);
    } else {
      delay(tally);
    }
  }
  return end_tally(tally);
}

static long conditional_tasks(long reps) {
  struct tally* tally = new_tally();
  volatile int deferred = 0;
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp task if (deferred)
    delay(tally);
  }
  return end_tally(tally);
}

static long taskwait(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp task
    delay(tally);
#pragma omp taskwait
  }
  return end_tally(tally);
}

static long taskgroup(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp taskgroup
    {
#pragma omp task
      delay(tally);
    }
  }
  return end_tally(tally);
}

static long task_barrier(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp task
    delay(tally);
#pragma omp barrier
  }
  return end_tally(tally);
}

enum { kInner = 4 };

static void inner_tasks(struct tally* tally) {
  for (int i = 0; i < kInner; i++) {
#pragma omp task
    delay(tally);
  }
#pragma omp taskwait
}

static long nested_tasks(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp task
    inner_tasks(tally);
  }
  return end_tally(tally);
}

static long nested_master_tasks(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
#pragma omp masked
  for (long r = 0; r < reps * team_size; r++) {
#pragma omp task
    inner_tasks(tally);
  }
  return end_tally(tally);
}

enum { kTreeDepth = 6, kLeaves = 1 << kTreeDepth, kTreeTasks = 2 * kLeaves - 2 };

static void branches(struct tally* tally, int depth) {
  if (depth == 0) return;
#pragma omp task
  branches(tally, depth - 1);
#pragma omp task
  branches(tally, depth - 1);
  delay(tally);
#pragma omp taskwait
}

static void leaves(struct tally* tally, int depth) {
  if (depth == 0) {
    delay(tally);
    return;
  }
#pragma omp task
  leaves(tally, depth - 1);
#pragma omp task
  leaves(tally, depth - 1);
#pragma omp taskwait
}

static long branch_tree(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) branches(tally, kTreeDepth);
  return end_tally(tally);
}

static long leaf_tree(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) leaves(tally, kTreeDepth);
  return end_tally(tally);
}

static long depend_chain(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  {
    char place;
    char* link = &place;
    for (long r = 0; r < reps; r++) {
#pragma omp task depend(inout : *link)
      delay(tally);
    }
#pragma omp taskwait
  }
  return end_tally(tally);
}

static long depend_free(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  {
    char places[64];
    for (long r = 0; r < reps; r++) {
      char* place = &places[r % 64];
#pragma omp task depend(out : *place)
      delay(tally);
    }
#pragma omp taskwait
  }
  return end_tally(tally);
}

// Writers of 64 places, each followed by two readers that may run in parallel.
static long depend_in(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  {
    char places[64];
    for (long r = 0; r < reps; r++) {
      char* place = &places[r % 64];
#pragma omp task depend(out : *place)
      delay(tally);
#pragma omp task depend(in : *place)
      delay(tally);
#pragma omp task depend(in : *place)
      delay(tally);
    }
#pragma omp taskwait
  }
  return end_tally(tally);
}

static long taskloop(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
#pragma omp masked
#pragma omp taskloop grainsize(1)
  for (long i = 0; i < reps * team_size; i++) delay(tally);
  return end_tally(tally);
}

#define TASKS(name, body, delays, tasks) \
  {"task", name, body, kShared, .each = delays, .constructs = tasks}

const struct test kTaskTests[] = {
    TASKS("parallel_tasks", parallel_tasks, 1, 1),
    TASKS("master_tasks", master_tasks, 1, 1),
    TASKS("master_tasks_others_busy", master_tasks_others_busy, 1, 1),
    TASKS("conditional_tasks", conditional_tasks, 1, 1),
    TASKS("taskwait", taskwait, 1, 1),
    TASKS("taskgroup", taskgroup, 1, 1),
    TASKS("task_barrier", task_barrier, 1, 1),
    TASKS("nested_tasks", nested_tasks, kInner, kInner + 1),
    TASKS("nested_master_tasks", nested_master_tasks, kInner, kInner + 1),
    TASKS("branch_tree", branch_tree, kLeaves - 1, kTreeTasks),
    TASKS("leaf_tree", leaf_tree, kLeaves, kTreeTasks),
    TASKS("depend_chain", depend_chain, 1, 1),
    TASKS("depend_free", depend_free, 1, 1),
    TASKS("depend_in", depend_in, 3, 3),
    TASKS("taskloop", taskloop, 1, 1),
    {.construct = NULL},
};
