/* SPDX-License-Identifier: Apache-2.0
 *
 * Tasks by LLVM's entry points, called as by compilers other than clang 19.
 */
#include <pthread.h>

#include "check.h"
#include "kmp/kmp_direct.h"

enum { kTied = 1, kUndeferred = 4, kProxy = 0x10, kTransparent = 0x100 };
enum { kIn = 1, kOut = 3, kTasks = 40 };

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

/* omp_all_memory, by the address that represents all memory. */
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

/* if(.false.) of flang 23, which has no separate call: a flag expresses it. */
static void* undeferred_task(void) {
  return __kmpc_omp_task_alloc(&kPlace, me(), kTied | kUndeferred, 40, 0, count_task);
}

static void undeferred(void) {
  finished = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
    __kmpc_omp_task(&kPlace, me(), undeferred_task());
    CHECK_EQ(load(&finished), i + 1);
  }
}

static void undeferred_after_another(void) {
  static int data;
  TaskDependence dependence = {(uintptr_t)&data, 0, kIn};
  finished = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
    make_task(count_task, dependence.address, kOut);
    __kmpc_omp_task_with_deps(&kPlace, me(), undeferred_task(), 1, &dependence, 0, NULL);
    CHECK_EQ(load(&finished), 2 * i + 2);
  }
}

/* The clause transparent of clang 23: the successors of the task also follow its children. */
static int shared_datum;

static int32_t finish_late(int32_t thread_num, void* task) {
  (void)thread_num, (void)task;
  for (int i = 0; i < 20; i++) sched_yield();
  add_one(&finished);
  return 0;
}

static int32_t make_child(int32_t thread_num, void* task) {
  (void)thread_num, (void)task;
  make_task(finish_late, (uintptr_t)&shared_datum, kOut);
  return 0;
}

static int32_t see_children(int32_t thread_num, void* task) {
  (void)thread_num, (void)task;
  CHECK_EQ(load(&finished), before);
  before++;
  return 0;
}

static void transparent(void) {
  TaskDependence dependence = {(uintptr_t)&shared_datum, 0, kOut};
  finished = 0, before = 1;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
    void* task = __kmpc_omp_task_alloc(&kPlace, me(), kTied | kTransparent, 40, 0, make_child);
    __kmpc_omp_task_with_deps(&kPlace, me(), task, 1, &dependence, 0, NULL);
    make_task(see_children, (uintptr_t)&shared_datum, kOut);
  }
  CHECK_EQ(before, kTasks + 1);
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

/* Reductions as compilers before LLVM 11 registered them: the initialiser knows only the copy, and
 * a copy without initialiser is filled with zeros. */
static long product;
static int sum;

static int copies_made, copies_gone;
static void one(void* copy) { *(long*)copy = 1, add_one(&copies_made); }
static void finalise(void* copy) { (void)copy, add_one(&copies_gone); }
static void multiply(void* into, void* from) { *(long*)into *= *(long*)from; }
static void add(void* into, void* from) { *(int*)into += *(int*)from; }

static const OldTaskReduction kReductions[2] = {
    {&product, sizeof product, one, finalise, multiply, 0},
    {&sum, sizeof sum, NULL, NULL, add, 1},
};

static void take_part(void* registration) {
  *(long*)__kmpc_task_reduction_get_th_data(me(), registration, &product) *= 3;
  *(int*)__kmpc_task_reduction_get_th_data(me(), registration, &sum) += 5;
}

static void old_reduction(void) {
  product = 2, sum = 7, copies_made = copies_gone = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    void* registration = __kmpc_task_reduction_init(me(), 2, kReductions);
    for (int i = 0; i < kTasks / 2; i++) {
#pragma omp task firstprivate(registration)
      take_part(i % 2 == 0 ? registration : NULL);
    }
  }
  CHECK_EQ(product, 2 * 3486784401);
  CHECK_EQ(sum, 7 + kTasks / 2 * 5);
  CHECK_EQ(copies_gone, copies_made);
}

static void old_reduction_of_region(void) {
  product = 2, sum = 7, copies_made = copies_gone = 0;
  int threads = 0;
#pragma omp parallel num_threads(4) shared(threads)
  {
    void* registration = __kmpc_task_reduction_modifier_init(&kPlace, me(), 0, 2, kReductions);
#pragma omp task firstprivate(registration)
    take_part(registration);
    add_one(&threads);
    __kmpc_task_reduction_modifier_fini(&kPlace, me(), 0);
  }
  long expected = 2;
  for (int i = 0; i < threads; i++) expected *= 3;
  CHECK_EQ(product, expected);
  CHECK_EQ(sum, 7 + 5 * threads);
  CHECK_EQ(copies_gone, copies_made);
}

/* Proxy tasks: their team waits for them, whichever thread completes them. */
static void* proxy; /* it has run and is to be completed */
static int completing;

static int32_t show_proxy(int32_t thread_num, void* task) {
  (void)thread_num;
  __atomic_store_n(&proxy, task, __ATOMIC_RELEASE);
  return 0;
}

static void make_proxy(void) {
  completing = 0;
  void* task = __kmpc_omp_task_alloc(&kPlace, me(), kTied | kProxy, 40, 0, show_proxy);
  __kmpc_omp_task(&kPlace, me(), task);
}

static void* take_proxy(void) {
  void* task;
  while ((task = __atomic_exchange_n(&proxy, NULL, __ATOMIC_ACQ_REL)) == NULL) sched_yield();
  store(&completing, 1);
  return task;
}

static void* complete_proxy(void* unused) {
  __kmpc_proxy_task_completed_ooo(take_proxy());
  return unused;
}

static void proxy_completed_in_team(void) {
#pragma omp parallel
  for (int round = 0; round < 10; round++) {
#pragma omp single nowait
    make_proxy();
#pragma omp single nowait
    __kmpc_proxy_task_completed(me(), take_proxy());
#pragma omp barrier
    CHECK(load(&completing));
#pragma omp barrier
  }
}

static void proxy_completed_outside(void) {
  for (int round = 0; round < 10; round++) {
#pragma omp parallel
    {
#pragma omp masked
      {
        pthread_t thread;
        make_proxy();
        CHECK_EQ(pthread_create(&thread, NULL, complete_proxy, NULL), 0);
        pthread_detach(thread);
      }
#pragma omp barrier
      CHECK(load(&completing));
    }
  }
}

static void proxy_completed_in_inner_team(void) {
  omp_set_max_active_levels(2);
  for (int round = 0; round < 10; round++) {
#pragma omp parallel
    {
#pragma omp masked
      {
        make_proxy();
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1) complete_proxy(NULL);
      }
#pragma omp barrier
      CHECK(load(&completing));
    }
  }
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(on_everything);
  RUN(alone);
  RUN(undeferred);
  RUN(undeferred_after_another);
  RUN(transparent);
  RUN(without_routine);
  RUN(old_reduction);
  RUN(old_reduction_of_region);
  RUN(proxy_completed_in_team);
  RUN(proxy_completed_outside);
  RUN(proxy_completed_in_inner_team);
  return check_end();
}
