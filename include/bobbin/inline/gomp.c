/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks inlined into programs of gcc, g++ and gfortran. Compiled with -flto by the compiler that
 * links the program; the entry points are hidden, so they are those of one program or library.
 * entries.c has the runtime's own, to which they lead.
 */
#include "task.h"

typedef void function_type(void*);
typedef void copy_type(void*, void*);

#pragma GCC diagnostic ignored \
    "-Wattributes" /* declared inline, they would have no code of their own */
#define ENTRY __attribute__((always_inline, visibility("hidden")))

enum { UNTIED = 1, FINAL = 2, MERGEABLE = 4 };
enum { SMALL_COPY = 64, SMALL_COPY_ALIGNMENT = 16 };

void bobbin_runtime_task(function_type* function, void* data, copy_type* copy, long size,
                         long alignment, _Bool if_clause, unsigned flags, void** depend,
                         int priority, void* detach);
void bobbin_runtime_taskwait(void);

ENTRY void GOMP_task(function_type* function, void* data, copy_type* copy, long size,
                     long alignment, _Bool if_clause, unsigned flags, void** depend, int priority,
                     void* detach) {
  struct bobbin_thread_v1* self = bobbin_self_v1;
  struct bobbin_task_v1 task;
  const int served = (flags & ~(unsigned)(UNTIED | FINAL | MERGEABLE)) == 0 &&
                     (!copy || (size <= SMALL_COPY && alignment <= SMALL_COPY_ALIGNMENT));
  if (!served || !bobbin_in_place_(self, if_clause, &task)) {
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
  if (!bobbin_childless_(bobbin_self_v1)) bobbin_runtime_taskwait();
}
