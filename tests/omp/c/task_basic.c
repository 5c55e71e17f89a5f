/* SPDX-License-Identifier: Apache-2.0
 * task: data-sharing, if, final, mergeable, priority, untied, many makers, alignment, results of
 * a recursion, tasks outside parallel regions. */
#include <sched.h>
#include <stdint.h>

#include "check.h"

typedef struct {
  char bytes[5000];
} Big;
typedef struct {
  _Alignas(64) char bytes[192];
} Aligned;

static void data_sharing(void) {
  int shared_one = 0, first = 3, array[10] = {1, 2, 3};
  Big big;
  memset(&big, 5, sizeof big);
  char* pointer = big.bytes;
#pragma omp parallel
#pragma omp single
  {
    int local = 50;
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(shared_one) firstprivate(first, array, big, pointer)
      {
        CHECK_EQ(first, 3);
        CHECK_EQ(local, 50);
        CHECK_EQ(array[2], 3);
        CHECK_EQ(big.bytes[4999], 5);
        CHECK(pointer != big.bytes);
        first = i;
        local = i;
        array[2] = -i;
        big.bytes[4999] = 9;
        add_one(&shared_one);
      }
    }
#pragma omp taskwait
    CHECK_EQ(local, 50);
  }
  CHECK_EQ(shared_one, 100);
  CHECK_EQ(first, 3);
  CHECK_EQ(big.bytes[4999], 5);
}

/* A firstprivate copy is taken when the task is encountered, not when it runs. */
static void copied_at_creation(void) {
  int n = 200, *seen = calloc(n, sizeof *seen);
#pragma omp parallel
#pragma omp single
  for (int i = 0, twice = 0; i < n; i++, twice += 2) {
#pragma omp task
    {
      CHECK_EQ(twice, 2 * i);
      add_one(&seen[i]);
    }
  }
  for (int i = 0; i < n; i++) CHECK_EQ(seen[i], 1);
  free(seen);
}

/* A function made by the compiler copies arrays of variable length. */
static void variable_length(void) {
#ifndef GAP_variable_length
#pragma omp parallel
#pragma omp single
  for (int n = 1; n <= 40; n++) {
    int array[n];
    double matrix[2][n];
    for (int i = 0; i < n; i++) array[i] = matrix[1][i] = n + i;
#pragma omp task firstprivate(array, matrix, n)
    {
      for (int i = 0; i < n; i++) CHECK(array[i] == n + i && matrix[1][i] == n + i);
      memset(array, 0, sizeof array);
    }
    for (int i = 0; i < n; i++) CHECK_EQ(array[i], n + i);
  }
#endif
}

static void alignment(void) {
  Aligned block = {{1}};
  long double wide = 3;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(block, wide)
    {
      CHECK_EQ((uintptr_t)&block % 64, 0);
      CHECK_EQ((uintptr_t)&wide % 16, 0);
      CHECK(wide == 3 && block.bytes[0] == 1);
    }
  }
}

/* if(0): the task runs before the next statement, in the same thread. */
static void undeferred(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num(), ran = 0;
    for (int i = 0; i < 10; i++) {
#pragma omp task if (0) shared(ran)
      {
        CHECK_EQ(omp_get_thread_num(), me);
        ran++;
      }
      CHECK_EQ(ran, i + 1);
    }
    int no = 0;
#pragma omp task if (task : no) shared(ran) untied
    ran = 100;
    CHECK_EQ(ran, 100);
  }
}

static int final_tasks;

static void recurse_final(int depth, int is_final) {
  CHECK_EQ(omp_in_final(), is_final);
  add_one(&final_tasks);
  if (depth == 0) return;
  for (int i = 0; i < 2; i++) {
    int me = omp_get_thread_num(), ran = 0;
#pragma omp task final(depth <= 3) mergeable shared(ran)
    {
      if (is_final) CHECK_EQ(omp_get_thread_num(), me);
      recurse_final(depth - 1, depth <= 3);
      ran = 1;
    }
    if (is_final) CHECK_EQ(ran, 1); /* included, so it is complete by now */
#pragma omp taskwait
    CHECK_EQ(ran, 1);
  }
}

static void final_clause(void) {
  final_tasks = 0;
#pragma omp parallel
#pragma omp single
  recurse_final(6, 0);
  CHECK_EQ(final_tasks, (1 << 7) - 1);
}

static void priorities(void) {
  int ran = 0;
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task priority(i % 7) shared(ran)
      add_one(&ran);
    }
#pragma omp taskwait
  }
  CHECK_EQ(ran, 100);
  CHECK(omp_get_max_task_priority() >= 0);
}

static void untied(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < 64; i++) {
#pragma omp task untied shared(ran)
    {
      int before = 0;
#pragma omp task untied shared(before)
      store(&before, 1);
#pragma omp taskyield
#pragma omp taskwait
      CHECK_EQ(load(&before), 1);
      add_one(&ran);
    }
  }
  CHECK_EQ(ran, 64);
}

/* Every thread makes tasks; the region's end waits for all, grandchildren included. */
static void makers(void) {
  int n = omp_get_max_threads(), each = max_int(4, 1000 / n), ran = 0;
#pragma omp parallel
  for (int i = 0; i < each; i++) {
#pragma omp task shared(ran)
    {
#pragma omp task shared(ran)
      add_one(&ran);
    }
  }
  CHECK_EQ(ran, n * each);
}

static void outside_parallel(void) {
  int ran = 0, order = 0;
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(ran)
    add_one(&ran);
  }
#pragma omp taskwait
  CHECK_EQ(ran, 10);
#pragma omp taskgroup
  {
#pragma omp task shared(order) depend(out : order)
    order = 1;
#pragma omp task shared(order) depend(in : order)
    CHECK_EQ(order, 1);
  }
#pragma omp taskloop shared(ran)
  for (int i = 0; i < 10; i++) add_one(&ran);
  CHECK_EQ(ran, 20);
#pragma omp taskyield
}

/* An inner parallel region inside a task. */
static void regions_in_tasks(void) {
  int ran = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(min_int(omp_get_max_threads(), 4))
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task shared(ran)
    {
#pragma omp parallel num_threads(2)
      {
#pragma omp single
#pragma omp task
        add_one(&ran);
        add_one(&ran);
      }
    }
  }
  CHECK_EQ(ran, 24);
}

/* One of the first two threads executes the last thread's task, if it is allowed to. */
static void task_of_another(void) {
  int ran = 0;
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() == 3) {
#pragma omp task shared(ran)
      store(&ran, 1);
    }
    if (omp_get_thread_num() >= 2 && omp_get_num_threads() == 4) {
      while (!load(&ran)) sched_yield();
    }
  }
}

/* The tasks that were made and ended in a team that has grown since say nothing about later
 * tasks. */
static void teams_that_grow(void) {
  for (int big = 9; big <= 33; big += 8) {
    int threads = 0, ran = 0;
    task_of_another();
#pragma omp parallel num_threads(big)
    add_one(&threads);
    CHECK_EQ(threads, big);
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
#pragma omp task shared(ran)
      {
        for (int i = 0; i < 100; i++) sched_yield();
        store(&ran, 1);
      }
#pragma omp barrier
      CHECK_EQ(load(&ran), 1);
    }
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(data_sharing);
  RUN(copied_at_creation);
  RUN(variable_length);
  RUN(alignment);
  RUN(undeferred);
  RUN(final_clause);
  RUN(priorities);
  RUN(untied);
  RUN(makers);
  RUN(outside_parallel);
  RUN(regions_in_tasks);
  RUN(teams_that_grow);
  return check_end();
}
