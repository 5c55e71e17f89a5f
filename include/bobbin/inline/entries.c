/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime's entry points for gomp.c, which defines functions of the same names. Compiled
 * without -flto: the versions, which are libgomp's, tell the runtime's from the program's.
 */
#define HIDDEN __attribute__((visibility("hidden")))

void runtimes_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long size,
                   long alignment, _Bool if_clause, unsigned flags, void** depend, int priority,
                   void* detach);
void runtimes_taskwait(void);

__asm__(".symver runtimes_task, GOMP_task@GOMP_2.0");
__asm__(".symver runtimes_taskwait, GOMP_taskwait@GOMP_2.0");

HIDDEN void bobbin_runtime_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                                long size, long alignment, _Bool if_clause, unsigned flags,
                                void** depend, int priority, void* detach) {
  runtimes_task(function, data, copy, size, alignment, if_clause, flags, depend, priority, detach);
}

HIDDEN void bobbin_runtime_taskwait(void) { runtimes_taskwait(); }
