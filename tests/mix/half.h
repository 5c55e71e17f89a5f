/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of each half of a mixed program. half.cpp is compiled twice, by g++ and by clang++.
 * Every function is orphaned, so that the constructs of one half meet the regions of the other. */
#pragma once

struct SharedLock {
  alignas(8) unsigned char storage[16]; /* holds the omp_nest_lock_t of either compiler */
};

typedef void (*Body)(void* data);
typedef void (*Item)(void* data, int index);

struct Half {
  const char* name;
  void (*region)(int threads, Body body, void* data);
  void (*teams)(int count, Body body, void* data);
  int (*thread_num)();
  int (*num_threads)();
  int (*level)();

  void (*barrier)();
  void (*single)(Body body, void* data);
  void (*masked)(Body body, void* data);
  void (*for_static)(int count, Item item, void* data);
  void (*for_dynamic)(int count, Item item, void* data);
  void (*for_guided_nowait)(int count, Item item, void* data);
  void (*for_ordered)(int count, Item item, void* data);
  void (*sections)(Item item, void* data);
  long (*sum_for)(int count, Item item, void* data); /* of the indices, by a reduction */

  void (*critical)(Body body, void* data);
  void (*critical_named)(Body body, void* data);
  void (*atomic_add)(long* target, long value);

  void (*task)(Body body, void* data);
  void (*task_if_0)(Body body, void* data);
  void (*task_inout)(int* address, Body body, void* data);
  void (*taskwait)();
  void (*taskgroup)(Body body, void* data);
  void (*taskloop)(int count, Item item, void* data);
  void (*taskyield)();
  int (*in_final)();
  /* Taskgroups with a task reduction of *target, and tasks that take part in it. */
  void (*sum_group)(long* target, Body body, void* data);
  void (*product_group)(long* target, Body body, void* data);
  void (*add_task)(long* target, long value);
  void (*multiply_task)(long* target, long factor);

  void (*init_lock)(SharedLock*);
  void (*set_lock)(SharedLock*);
  int (*test_lock)(SharedLock*);
  void (*unset_lock)(SharedLock*);
  void (*destroy_lock)(SharedLock*);
  void (*init_nest_lock)(SharedLock*);
  void (*set_nest_lock)(SharedLock*);
  int (*test_nest_lock)(SharedLock*);
  void (*unset_nest_lock)(SharedLock*);
  void (*destroy_nest_lock)(SharedLock*);

  int* (*threadprivate)(); /* the calling thread's copy of the half's variable */
  void* (*alloc)(unsigned long size);
  void (*free)(void* block);
};

extern const Half gnu_half, llvm_half;
