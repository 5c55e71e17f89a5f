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
void runtimes_taskgroup_start(void);
void runtimes_taskgroup_end(void);
_Bool runtimes_single_start(void);

__asm__(".symver runtimes_task, GOMP_task@GOMP_2.0");
__asm__(".symver runtimes_taskwait, GOMP_taskwait@GOMP_2.0");
__asm__(".symver runtimes_taskgroup_start, GOMP_taskgroup_start@GOMP_4.0");
__asm__(".symver runtimes_taskgroup_end, GOMP_taskgroup_end@GOMP_4.0");
__asm__(".symver runtimes_single_start, GOMP_single_start@GOMP_1.0");

HIDDEN void bobbin_runtime_task(void (*function)(void*), void* data, void (*copy)(void*, void*),
                                long size, long alignment, _Bool if_clause, unsigned flags,
                                void** depend, int priority, void* detach) {
  runtimes_task(function, data, copy, size, alignment, if_clause, flags, depend, priority, detach);
}

HIDDEN void bobbin_runtime_taskwait(void) { runtimes_taskwait(); }
HIDDEN void bobbin_runtime_taskgroup_start(void) { runtimes_taskgroup_start(); }
HIDDEN void bobbin_runtime_taskgroup_end(void) { runtimes_taskgroup_end(); }
HIDDEN _Bool bobbin_runtime_single_start(void) { return runtimes_single_start(); }

#define NEXT(name, version, type)                                 \
  _Bool runtimes_##name(type* start, type* end);                  \
  __asm__(".symver runtimes_" #name ", GOMP_" #name "@" version); \
  HIDDEN _Bool bobbin_runtime_##name(type* start, type* end) { return runtimes_##name(start, end); }

NEXT(loop_dynamic_next, "GOMP_1.0", long)
NEXT(loop_nonmonotonic_dynamic_next, "GOMP_4.5", long)
NEXT(loop_ull_dynamic_next, "GOMP_2.0", unsigned long long)
NEXT(loop_ull_nonmonotonic_dynamic_next, "GOMP_4.5", unsigned long long)

#define QUERY(name, version)                                 \
  int runtimes_##name(void);                                 \
  __asm__(".symver runtimes_" #name ", " #name "@" version); \
  HIDDEN int bobbin_runtime_##name(void) { return runtimes_##name(); }

QUERY(omp_get_thread_num, "OMP_1.0")
QUERY(omp_get_thread_num_, "OMP_1.0")
QUERY(omp_get_num_threads, "OMP_1.0")
QUERY(omp_get_num_threads_, "OMP_1.0")
QUERY(omp_in_final, "OMP_3.1")
