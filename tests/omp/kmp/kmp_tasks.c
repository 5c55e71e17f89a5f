/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks by LLVM's entry points, as other compilers than clang 19 may call them.
 */
#include "check.h"
#include "kmp/kmp_direct.h"

enum { kTied = 1, kIn = 1, kOut = 3, kTasks = 40 };

static int32_t me(void) { return __kmpc_global_thread_num(&kPlace); }

static int finished;
static int before, each; /* how many have finished when the next lone one begins, and how many more
                            for the one after */

static int32_t count_task(int32_t thread_num, void* task) {
  (void)thread_num, (void)task;
  add_one(&finished);
  return 0;
}

static int32_t run_alone(int32_t thread_num, void* task) {
  (void)thread_num, (void)task;
  CHECK_EQ(load(&finished), before);
  before += each;
  sched_yield();
  add_one(&finished);
  return 0;
}

static void make_task(int32_t (*routine)(int32_t, void*), uintptr_t address, uint8_t kind) {
  TaskDependence dependence = {address, 0, kind};
  void* task = __kmpc_omp_task_alloc(&kPlace, me(), kTied, 40, 0, routine);
  __kmpc_omp_task_with_deps(&kPlace, me(), task, 1, &dependence, 0, NULL);
}

/* omp_all_memory, by the address that stands for all of them. */
static void on_everything(void) {
  static int data[kTasks];
  finished = 0, before = 1, each = 2;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
    make_task(count_task, (uintptr_t)&data[i], kOut);
    make_task(run_alone, UINTPTR_MAX, kOut);
  }
  CHECK_EQ(finished, 2 * kTasks);
}

static void alone(void) {
  finished = 0, before = 0, each = 1;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) make_task(run_alone, UINTPTR_MAX, i % 2 == 0 ? kOut : kIn);
  CHECK_EQ(finished, kTasks);
}

/* taskwait depend(...) nowait: a task without a routine. */
static void without_routine(void) {
  static int data;
  finished = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < kTasks; i++) {
      make_task(count_task, (uintptr_t)&data, kOut);
      make_task(NULL, (uintptr_t)&data, kOut);
    }
    make_task(count_task, (uintptr_t)&data, kIn);
#pragma omp taskwait
    CHECK_EQ(finished, kTasks + 1);
  }
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(on_everything);
  RUN(alone);
  RUN(without_routine);
  return check_end();
}
