/* SPDX-License-Identifier: Apache-2.0
 * Preloaded: counts how often the program asks the runtime for a task, and says so at the end. */
#include <dlfcn.h>
#include <stdio.h>

static unsigned long calls;

static void* next_of(const char* name) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  return dlsym(RTLD_NEXT, name);
}

typedef void gomp_task(void (*)(void*), void*, void (*)(void*, void*), long, long, _Bool, unsigned,
                       void**, int, void*);

void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long size,
               long alignment, _Bool if_clause, unsigned flags, void** depend, int priority,
               void* detach) {
  gomp_task* next = (gomp_task*)next_of("GOMP_task");
  next(function, data, copy, size, alignment, if_clause, flags, depend, priority, detach);
}

typedef int kmpc_task(void*, int, void*);

int __kmpc_omp_task(void* place, int thread_num, void* image) {
  kmpc_task* next = (kmpc_task*)next_of("__kmpc_omp_task");
  return next(place, thread_num, image);
}

typedef void native_task(void (*)(void*), void*, unsigned long, unsigned long);
typedef void native_task_with(void (*)(void*), void*, unsigned long, unsigned long, const void*);

void bobbin_omp_task(void (*function)(void*), void* data, unsigned long size,
                     unsigned long alignment) {
  native_task* next = (native_task*)next_of("bobbin_omp_task");
  next(function, data, size, alignment);
}

void bobbin_omp_task_with(void (*function)(void*), void* data, unsigned long size,
                          unsigned long alignment, const void* clauses) {
  native_task_with* next = (native_task_with*)next_of("bobbin_omp_task_with");
  next(function, data, size, alignment, clauses);
}

__attribute__((destructor)) static void tell(void) { printf("calls %lu\n", calls); }
