/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of a task construct, for gomp.c, kmp.c and bobbin/native_inline.h: may the task run
 * at once in the encountering thread, and its begin and end. Invariant: where this says "yes", the
 * runtime would say the same (runtime/task/create/decision.h). Where it says "no", the runtime is
 * asked.
 */
#pragma once

#include "layout.h"

#define BOBBIN_FAST static __inline__ __attribute__((always_inline))

/* The stack pointer. The address of a variable would not do: arrays of variable size lie below it.
 * clang reads the register without assembly, which flang would have no use for. */
#if defined(__clang__) && !defined(__cplusplus)
#if defined(__x86_64__)
register unsigned long bobbin_stack_pointer_ __asm__("rsp");
#else
register unsigned long bobbin_stack_pointer_ __asm__("sp");
#endif
BOBBIN_FAST unsigned long bobbin_stack_(void) { return bobbin_stack_pointer_; }
#else
BOBBIN_FAST unsigned long bobbin_stack_(void) {
  unsigned long pointer;
#if defined(__x86_64__)
  __asm__ volatile("mov {%%rsp, %0|%0, rsp}" : "=r"(pointer));
#else
  __asm__ volatile("mov %0, sp" : "=r"(pointer));
#endif
  return pointer;
}
#endif

/* Is there room for one more level of recursion? */
BOBBIN_FAST int bobbin_has_stack_(const struct bobbin_thread_v1* self) {
  return bobbin_stack_() >= (unsigned long)self->stack_limit;
}

BOBBIN_FAST int bobbin_nothing_special_(const struct bobbin_thread_v1* self) {
  const struct bobbin_group_v1* group = self->task->group;
  if (__builtin_expect(__atomic_load_n(self->member->cancelled, __ATOMIC_RELAXED), 0)) return 0;
  if (group && (__atomic_load_n(&group->state, __ATOMIC_RELAXED) || group->internal)) return 0;
  return __builtin_expect(bobbin_has_stack_(self), 1) != 0;
}

/* Do thieves have enough tasks? */
BOBBIN_FAST int bobbin_enough_(const struct bobbin_thread_v1* self) {
  const struct bobbin_member_v1* member = self->member;
  long deferred = __atomic_load_n(member->end, __ATOMIC_RELAXED) -
                  __atomic_load_n(member->begin, __ATOMIC_RELAXED);
  return deferred >= member->defer_below;
}

BOBBIN_FAST int bobbin_in_final_(const struct bobbin_thread_v1* self) {
  return self->task->is_final & 1;
}

/* Need the runtime not look at a task that must not be deferred? */
BOBBIN_FAST int bobbin_undeferred_freely_(const struct bobbin_thread_v1* self) {
  return self->member->defer_below < BOBBIN_DEFER_ALL_V1 &&
         !(self->task->marks & BOBBIN_ORDER_GOES_BEYOND_V1);
}

/* May a task without clauses that matter here run in place? `deferrable`: its if clause. */
BOBBIN_FAST int bobbin_in_place_(const struct bobbin_thread_v1* self, int deferrable) {
  if (__builtin_expect(!self, 0)) return 0;
  if (deferrable && __builtin_expect(bobbin_enough_(self), 1)) return bobbin_nothing_special_(self);
  if (deferrable && !bobbin_in_final_(self)) return 0;
  return bobbin_undeferred_freely_(self) && bobbin_nothing_special_(self);
}

BOBBIN_FAST void bobbin_begin_(struct bobbin_thread_v1* self, struct bobbin_task_v1* task,
                               int is_final, int is_tied) {
  struct bobbin_task_v1* parent = self->task;
  task->group = parent->group;
  task->icvs = parent->icvs;
  task->parent = parent;
  task->extras = 0; /* NOLINT(modernize-use-nullptr): C */
  task->children = 0;
  task->references = 1;
  task->depth = parent->depth + 1;
  task->kind = BOBBIN_UNDEFERRED_V1;
  task->marks = 0;
  task->is_final = (unsigned char)(is_final | (parent->is_final & 1));
  task->is_tied = (unsigned char)is_tied;
  self->task = task;
}

BOBBIN_FAST void bobbin_end_(struct bobbin_thread_v1* self, const struct bobbin_task_v1* task) {
  if (__builtin_expect(!task->extras, 1))
    self->task = task->parent;
  else
    self->member->end_moved_task();
}

/* The descriptor of a task of LLVM's compilers that must not be deferred: behind the image. The
 * room before the image is only for tasks that are deferred. */
BOBBIN_FAST struct bobbin_task_v1* bobbin_task_behind_(struct bobbin_image_v1* image) {
  return (struct bobbin_task_v1*)((char*)image + (unsigned long)image->size_words * 8);
}

/* Has no deferred child of the current task to end yet? */
BOBBIN_FAST int bobbin_childless_(const struct bobbin_thread_v1* self) {
  return self && !__atomic_load_n(&self->task->children, __ATOMIC_ACQUIRE);
}
