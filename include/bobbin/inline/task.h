/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of a task construct, for gomp.c, kmp.c and bobbin/native_inline.h: may the task run
 * at once in the encountering thread, and its begin and end. Whether it may is one comparison,
 * because the thread has the runtime's permit or not (runtime/fiber/permit.h). Without one the
 * runtime is asked.
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

BOBBIN_FAST int bobbin_in_final_(const struct bobbin_thread_v1* self) {
  return self->task->is_final & 1;
}

/* May a task without clauses that matter here run in place? `deferrable`: its if clause. */
BOBBIN_FAST int bobbin_in_place_(const struct bobbin_thread_v1* self, int deferrable) {
  if (__builtin_expect(!self, 0)) return 0;
  if (deferrable) {
    return __builtin_expect(
        bobbin_stack_() >= __atomic_load_n(&self->in_place_from, __ATOMIC_RELAXED), 1);
  }
  return bobbin_stack_() >= __atomic_load_n(&self->undeferred_from, __ATOMIC_RELAXED) &&
         !(self->task->marks & BOBBIN_ORDER_GOES_BEYOND_V1);
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
