// SPDX-License-Identifier: Apache-2.0
//
// The entry points that GCC's compilers call for parallel regions.
#include <stddef.h>

#include "record.h"

#define EXPORT __attribute__((visibility("default")))

typedef void (*Function)(void*);

struct Call {
  Function function;
  void* data;
  atomic_uint threads;
};

static void inside(void* data) {
  struct Call* call = data;
  atomic_fetch_add_explicit(&call->threads, 1, memory_order_relaxed);
  call->function(call->data);
}

#define PARAMETERS(...) (Function function, void* data, unsigned threads, ##__VA_ARGS__)

// `...` stands for the arguments after the function, its data and the number of threads.
#define REGION(name, parameters, ...)                                              \
  EXPORT void name parameters;                                                     \
  void name parameters {                                                           \
    const struct Region region = begin_region(#name, __builtin_return_address(0)); \
    struct Call call = {function, data, 0};                                        \
    ((void(*) parameters)region.entry)(inside, &call, threads, __VA_ARGS__);       \
    end_region(region, call.threads);                                              \
  }

#define LOOP(name)                                                                              \
  REGION(name, PARAMETERS(long from, long to, long step, long chunk, unsigned flags), from, to, \
         step, chunk, flags)

#define LOOP_OF_NO_CHUNK(name) \
  REGION(name, PARAMETERS(long from, long to, long step, unsigned flags), from, to, step, flags)

REGION(GOMP_parallel, PARAMETERS(unsigned flags), flags)
REGION(GOMP_parallel_sections, PARAMETERS(unsigned count, unsigned flags), count, flags)
LOOP(GOMP_parallel_loop_static)
LOOP(GOMP_parallel_loop_dynamic)
LOOP(GOMP_parallel_loop_guided)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP(GOMP_parallel_loop_nonmonotonic_guided)
LOOP_OF_NO_CHUNK(GOMP_parallel_loop_runtime)
LOOP_OF_NO_CHUNK(GOMP_parallel_loop_nonmonotonic_runtime)
LOOP_OF_NO_CHUNK(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

// Before GCC 4.9: the caller executes the region itself when this returns.
#define START(name, parameters, ...)                                            \
  EXPORT void name parameters;                                                  \
  void name parameters {                                                        \
    const void* caller = __builtin_return_address(0);                           \
    const struct Region region = begin_region(#name, caller);                   \
    ((void(*) parameters)region.entry)(function, data, threads, ##__VA_ARGS__); \
    end_region(region, team_size(caller));                                      \
  }

#define LOOP_START(name) \
  START(name, PARAMETERS(long from, long to, long step, long chunk), from, to, step, chunk)

START(GOMP_parallel_start, PARAMETERS())
START(GOMP_parallel_sections_start, PARAMETERS(unsigned count), count)
LOOP_START(GOMP_parallel_loop_static_start)
LOOP_START(GOMP_parallel_loop_dynamic_start)
LOOP_START(GOMP_parallel_loop_guided_start)
START(GOMP_parallel_loop_runtime_start, PARAMETERS(long from, long to, long step), from, to, step)

// The caller passes the number of threads. The data begin with a word that the runtime reads.
EXPORT unsigned GOMP_parallel_reductions PARAMETERS(unsigned flags);
unsigned GOMP_parallel_reductions PARAMETERS(unsigned flags) {
  const struct Region region = begin_region(__func__, __builtin_return_address(0));
  const unsigned team =
      ((unsigned(*) PARAMETERS(unsigned))region.entry)(function, data, threads, flags);
  end_region(region, team);
  return team;
}
