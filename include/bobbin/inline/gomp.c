/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks, loops and other constructs inlined into programs of gcc, g++ and gfortran. Compiled with
 * -flto by the compiler that links the program; the entry points are hidden, so they are those of
 * one program or library. entries.c has the runtime's own, to which they lead.
 */
#include "loop.h"
#include "task.h"
#include "taskgroup.h"
#include "worksharing.h"

typedef void function_type(void*);
typedef void copy_type(void*, void*);

#pragma GCC diagnostic ignored \
    "-Wattributes" /* declared inline, they would have no code of their own */
#if defined(BOBBIN_MAY_STAY_CALLS)
#define ENTRY __attribute__((visibility("hidden")))
#else
#define ENTRY __attribute__((always_inline, visibility("hidden")))
#endif

enum { UNTIED = 1, FINAL = 2, MERGEABLE = 4 };
enum { SMALL_COPY = 64, SMALL_COPY_ALIGNMENT = 16 };

void bobbin_runtime_task(function_type* function, void* data, copy_type* copy, long size,
                         long alignment, _Bool if_clause, unsigned flags, void** depend,
                         int priority, void* detach);
void bobbin_runtime_taskwait(void);

ENTRY void GOMP_task(function_type* function, void* data, copy_type* copy, long size,
                     long alignment, _Bool if_clause, unsigned flags, void** depend, int priority,
                     void* detach) {
  struct bobbin_thread_v1* self = bobbin_self_();
  struct bobbin_task_v1 task;
  const int served = (flags & ~(unsigned)(UNTIED | FINAL | MERGEABLE)) == 0 &&
                     (!copy || (size <= SMALL_COPY && alignment <= SMALL_COPY_ALIGNMENT));
  if (!served || !bobbin_in_place_(self, if_clause)) {
    bobbin_runtime_task(function, data, copy, size, alignment, if_clause, flags, depend, priority,
                        detach);
    return;
  }
  bobbin_begin_(self, &task, (flags & FINAL) != 0, (flags & UNTIED) == 0);
  if (copy) {
    _Alignas(SMALL_COPY_ALIGNMENT) char room[SMALL_COPY];
    copy(room, data);
    function(room);
  } else {
    function(data);
  }
  bobbin_end_(self, &task);
}

ENTRY void GOMP_taskwait(void) {
  if (!bobbin_childless_(bobbin_self_())) bobbin_runtime_taskwait();
}

void bobbin_runtime_taskgroup_start(void);
void bobbin_runtime_taskgroup_end(void);

ENTRY void GOMP_taskgroup_start(void) {
  if (!bobbin_open_group_(bobbin_self_())) bobbin_runtime_taskgroup_start();
}

ENTRY void GOMP_taskgroup_end(void) {
  if (!bobbin_close_group_(bobbin_self_())) bobbin_runtime_taskgroup_end();
}

_Bool bobbin_runtime_single_start(void);

ENTRY _Bool GOMP_single_start(void) {
  return bobbin_alone_(bobbin_self_()) || bobbin_runtime_single_start();
}

#define LOOP_NEXT(name, type)                                                  \
  _Bool bobbin_runtime_##name(type* start, type* end);                         \
  ENTRY _Bool GOMP_##name(type* start, type* end) {                            \
    struct bobbin_batch_v1* batch = bobbin_batch_(bobbin_self_());             \
    if (__builtin_expect(!batch, 0)) return bobbin_runtime_##name(start, end); \
    *start = (type)bobbin_take_chunk_(batch);                                  \
    *end = (type)batch->begin;                                                 \
    return 1;                                                                  \
  }

LOOP_NEXT(loop_dynamic_next, long)
LOOP_NEXT(loop_nonmonotonic_dynamic_next, long)
LOOP_NEXT(loop_ull_dynamic_next, unsigned long long)
LOOP_NEXT(loop_ull_nonmonotonic_dynamic_next, unsigned long long)

/* The name of a Fortran routine ends with an underscore. Weak: a program may have its own. */
#define QUERY(name, value)                                   \
  int bobbin_runtime_##name(void);                           \
  __attribute__((weak)) ENTRY int name(void) {               \
    const struct bobbin_thread_v1* self = bobbin_self_();    \
    if (__builtin_expect(self != 0, 1)) return (int)(value); \
    return bobbin_runtime_##name();                          \
  }

QUERY(omp_get_thread_num, self->member->thread_num)
QUERY(omp_get_thread_num_, self->member->thread_num)
QUERY(omp_get_num_threads, *self->member->team_size)
QUERY(omp_get_num_threads_, *self->member->team_size)
QUERY(omp_in_final, bobbin_in_final_(self))
