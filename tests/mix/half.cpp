/* SPDX-License-Identifier: Apache-2.0
 * One half of a mixed program; see half.h. HALF is gnu_half or llvm_half. */
#include "half.h"

#include <omp.h>

namespace {

void region(int threads, Body body, void* data) {
#pragma omp parallel num_threads(threads)
  body(data);
}

void teams(int count, Body body, void* data) {
#pragma omp teams num_teams(count)
  body(data);
}

void barrier() {
#pragma omp barrier
}

void single(Body body, void* data) {
#pragma omp single
  body(data);
}

void masked(Body body, void* data) {
#pragma omp masked
  body(data);
}

void for_static(int count, Item item, void* data) {
#pragma omp for schedule(static, 3)
  for (int i = 0; i < count; i++) item(data, i);
}

void for_dynamic(int count, Item item, void* data) {
#pragma omp for schedule(dynamic, 2)
  for (int i = 0; i < count; i++) item(data, i);
}

void for_guided_nowait(int count, Item item, void* data) {
#pragma omp for schedule(guided) nowait
  for (int i = 0; i < count; i++) item(data, i);
}

void for_ordered(int count, Item item, void* data) {
#pragma omp for ordered schedule(dynamic)
  for (int i = 0; i < count; i++) {
#pragma omp ordered
    item(data, i);
  }
}

void sections(Item item, void* data) {
#pragma omp sections
  {
#pragma omp section
    item(data, 0);
#pragma omp section
    item(data, 1);
#pragma omp section
    item(data, 2);
  }
}

long reduced;

long sum_for(int count, Item item, void* data) {
#pragma omp single
  reduced = 0;
#pragma omp for reduction(+ : reduced)
  for (int i = 0; i < count; i++) {
    item(data, i);
    reduced += i;
  }
  long result = reduced;
#pragma omp barrier
  return result;
}

void critical(Body body, void* data) {
#pragma omp critical
  body(data);
}

void critical_named(Body body, void* data) {
#pragma omp critical(mixed)
  body(data);
}

void atomic_add(long* target, long value) {
#pragma omp atomic
  *target += value;
}

void task(Body body, void* data) {
#pragma omp task firstprivate(body, data)
  body(data);
}

void task_if_0(Body body, void* data) {
#pragma omp task if (0) firstprivate(body, data)
  body(data);
}

void task_inout(int* address, Body body, void* data) {
#pragma omp task depend(inout : address[0]) firstprivate(body, data)
  body(data);
}

void taskwait() {
#pragma omp taskwait
}

void taskgroup(Body body, void* data) {
#pragma omp taskgroup
  body(data);
}

void taskloop(int count, Item item, void* data) {
#pragma omp taskloop grainsize(3)
  for (int i = 0; i < count; i++) item(data, i);
}

void taskyield() {
#pragma omp taskyield
}

void sum_group(long* target, Body body, void* data) {
  long& sum = *target;
#pragma omp taskgroup task_reduction(+ : sum)
  body(data);
}

void product_group(long* target, Body body, void* data) {
  long& product = *target;
#pragma omp taskgroup task_reduction(* : product)
  body(data);
}

void add_task(long* target, long value) {
  long& sum = *target;
#pragma omp task in_reduction(+ : sum) firstprivate(value)
  sum += value;
}

void multiply_task(long* target, long factor) {
  long& product = *target;
#pragma omp task in_reduction(* : product) firstprivate(factor)
  product *= factor;
}

int own = 7;
#pragma omp threadprivate(own)

int* threadprivate() { return &own; }

template <class T>
T* as(SharedLock* lock) {
  static_assert(sizeof(T) <= sizeof(SharedLock), "the storage is for any compiler's");
  return reinterpret_cast<T*>(lock->storage);
}

}  // namespace

extern const Half HALF = {
    sizeof(omp_lock_t) == 4 ? "gnu" : "llvm",
    region,
    teams,
    [] { return omp_get_thread_num(); },
    [] { return omp_get_num_threads(); },
    [] { return omp_get_level(); },
    barrier,
    single,
    masked,
    for_static,
    for_dynamic,
    for_guided_nowait,
    for_ordered,
    sections,
    sum_for,
    critical,
    critical_named,
    atomic_add,
    task,
    task_if_0,
    task_inout,
    taskwait,
    taskgroup,
    taskloop,
    taskyield,
    [] { return omp_in_final(); },
    sum_group,
    product_group,
    add_task,
    multiply_task,
    [](SharedLock* lock) { omp_init_lock(as<omp_lock_t>(lock)); },
    [](SharedLock* lock) { omp_set_lock(as<omp_lock_t>(lock)); },
    [](SharedLock* lock) { return omp_test_lock(as<omp_lock_t>(lock)); },
    [](SharedLock* lock) { omp_unset_lock(as<omp_lock_t>(lock)); },
    [](SharedLock* lock) { omp_destroy_lock(as<omp_lock_t>(lock)); },
    [](SharedLock* lock) { omp_init_nest_lock(as<omp_nest_lock_t>(lock)); },
    [](SharedLock* lock) { omp_set_nest_lock(as<omp_nest_lock_t>(lock)); },
    [](SharedLock* lock) { return omp_test_nest_lock(as<omp_nest_lock_t>(lock)); },
    [](SharedLock* lock) { omp_unset_nest_lock(as<omp_nest_lock_t>(lock)); },
    [](SharedLock* lock) { omp_destroy_nest_lock(as<omp_nest_lock_t>(lock)); },
    threadprivate,
    [](unsigned long size) { return omp_alloc(size, omp_default_mem_alloc); },
    [](void* block) { omp_free(block, omp_null_allocator); },
};
