/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `bobbin translate` puts before the user's first line: native.h, and the constructs of it
 * whose quick case is inlined into the program. A task that the thread may execute at once is a
 * call of its function, with its data where they are, on the stack. Everything else calls the
 * function of native.h, and so does everything in a program whose runtime wants to see each
 * construct. docs/notes/inlined-tasks.md tells how they agree with the runtime.
 */
#pragma once

#pragma GCC system_header

#include "inline/task.h"
#include "inline/taskgroup.h"
#include "native.h"

/* C, whose names are like this. NOLINTBEGIN(readability-identifier-naming) */

BOBBIN_FAST void bobbin_call_in_place_(struct bobbin_thread_v1* self, void (*function)(void* data),
                                       void* data, unsigned flags) {
  struct bobbin_task_v1 task;
  bobbin_begin_(self, &task, (flags & bobbin_omp_final) != 0, (flags & bobbin_omp_untied) == 0);
  function(data);
  bobbin_end_(self, &task);
}

/* What compilers inline by their own choice, which gcc makes late. By then it has split functions
 * that begin with a test and an early return, as recursive ones do, and takes the test into their
 * callers. It does not split them if the construct is inlined before. */
#define BOBBIN_LATE static __inline__

BOBBIN_LATE void bobbin_omp_inlined_task(void (*function)(void* data), void* data,
                                         unsigned long size, unsigned long alignment) {
  struct bobbin_thread_v1* self = bobbin_self_();
  if (bobbin_in_place_(self, 1))
    bobbin_call_in_place_(self, function, data, 0);
  else
    bobbin_omp_task(function, data, size, alignment);
}

/* A task with no other clauses than those that are flags. */
BOBBIN_LATE void bobbin_omp_inlined_task_with(void (*function)(void* data), void* data,
                                              unsigned long size, unsigned long alignment,
                                              unsigned flags) {
  struct bobbin_thread_v1* self = bobbin_self_();
  if (bobbin_in_place_(self, (flags & bobbin_omp_undeferred) == 0)) {
    bobbin_call_in_place_(self, function, data, flags);
  } else {
    const struct bobbin_omp_task_clauses clauses = {flags, 0, 0, 0, 0};
    bobbin_omp_task_with(function, data, size, alignment, &clauses);
  }
}

/* What follows is for tasks that cannot be told from parts of their parents. */
BOBBIN_FAST int bobbin_is_part_(const struct bobbin_thread_v1* self, unsigned flags) {
  return (flags & bobbin_omp_final) == 0 && bobbin_in_place_(self, 1);
}

static __attribute__((noinline, unused)) void bobbin_task_apart_(void (*function)(void* data),
                                                                 void* data, unsigned long size,
                                                                 unsigned long alignment,
                                                                 unsigned flags) {
  bobbin_omp_inlined_task_with(function, data, size, alignment, flags);
}

/* A taskwait in it waits for the parent's children, so there must be no others than its own. */
BOBBIN_LATE void bobbin_omp_inlined_part_with(void (*function)(void* data), void* data,
                                              unsigned long size, unsigned long alignment,
                                              unsigned flags) {
  const struct bobbin_thread_v1* self = bobbin_self_();
  if (bobbin_is_part_(self, flags) && __builtin_expect(bobbin_childless_(self), 1))
    function(data);
  else
    bobbin_task_apart_(function, data, size, alignment, flags);
}

BOBBIN_LATE void bobbin_omp_inlined_part(void (*function)(void* data), void* data,
                                         unsigned long size, unsigned long alignment) {
  bobbin_omp_inlined_part_with(function, data, size, alignment, 0);
}

/* The same without a taskwait in it. */
BOBBIN_LATE void bobbin_omp_inlined_waitless_part_with(void (*function)(void* data), void* data,
                                                       unsigned long size, unsigned long alignment,
                                                       unsigned flags) {
  if (bobbin_is_part_(bobbin_self_(), flags))
    function(data);
  else
    bobbin_task_apart_(function, data, size, alignment, flags);
}

BOBBIN_LATE void bobbin_omp_inlined_waitless_part(void (*function)(void* data), void* data,
                                                  unsigned long size, unsigned long alignment) {
  bobbin_omp_inlined_waitless_part_with(function, data, size, alignment, 0);
}

BOBBIN_FAST void bobbin_omp_inlined_static_begin(unsigned long long count,
                                                 unsigned long long* first,
                                                 unsigned long long* last) {
  const struct bobbin_thread_v1* self = bobbin_self_();
  if (!self) {
    bobbin_omp_static_begin(count, first, last);
    return;
  }
  const unsigned long long size = *self->member->team_size, number = self->member->thread_num;
  const unsigned long long share = count / size, larger = count % size;
  *first = number * share + (number < larger ? number : larger);
  *last = *first + share + (number < larger);
}

BOBBIN_FAST void bobbin_omp_inlined_static_end(void) {
  if (!bobbin_self_()) bobbin_omp_static_end();
}

BOBBIN_FAST void bobbin_omp_inlined_taskwait(void) {
  if (!bobbin_childless_(bobbin_self_())) bobbin_omp_taskwait();
}

BOBBIN_FAST void bobbin_omp_inlined_taskgroup_begin(void) {
  if (!bobbin_open_group_(bobbin_self_())) bobbin_omp_taskgroup_begin();
}

BOBBIN_FAST void bobbin_omp_inlined_taskgroup_end(void) {
  if (!bobbin_close_group_(bobbin_self_())) bobbin_omp_taskgroup_end();
}

/*
 * Where the array would begin of which a section's copy lies at `first`. The sum leaves the copy,
 * so the compiler must not know to which object it points.
 */
BOBBIN_FAST void* bobbin_omp_inlined_move(void* first, long offset) {
  __asm__("" : "+r"(first));
  return (char*)first - offset;
}

/* NOLINTEND(readability-identifier-naming) */
