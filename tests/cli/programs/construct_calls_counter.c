/* SPDX-License-Identifier: Apache-2.0
 * Preloaded: counts the calls for the constructs of inlined_constructs.c, and says so at the end.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

static unsigned long calls;

static void* next_of(const char* name) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  return dlsym(RTLD_NEXT, name);
}

#define COUNTED(result, name, parameters, arguments)                 \
  result name parameters {                                           \
    result(*next) parameters = (result(*) parameters)next_of(#name); \
    return next arguments;                                           \
  }

COUNTED(void, GOMP_taskgroup_start, (void), ())
COUNTED(void, GOMP_taskgroup_end, (void), ())
COUNTED(_Bool, GOMP_single_start, (void), ())
COUNTED(void, __kmpc_taskgroup, (void* place, int32_t num), (place, num))
COUNTED(void, __kmpc_end_taskgroup, (void* place, int32_t num), (place, num))
COUNTED(int32_t, __kmpc_single, (void* place, int32_t num), (place, num))
COUNTED(void, __kmpc_end_single, (void* place, int32_t num), (place, num))
COUNTED(void, __kmpc_critical, (void* place, int32_t num, void* name), (place, num, name))
COUNTED(void, __kmpc_end_critical, (void* place, int32_t num, void* name), (place, num, name))
COUNTED(void, __kmpc_for_static_init_4,
        (void* place, int32_t num, int32_t schedule, int32_t* last, int32_t* lower, int32_t* upper,
         int32_t* stride, int32_t step, int32_t chunk),
        (place, num, schedule, last, lower, upper, stride, step, chunk))
COUNTED(void, __kmpc_for_static_fini, (void* place, int32_t num), (place, num))

__attribute__((destructor)) static void tell(void) { printf("calls %lu\n", calls); }
