/* SPDX-License-Identifier: Apache-2.0
 *
 * What the code of a compiler calls that also tells where regions end (GCC 17, -fopenmp-ompt), by
 * hand, and a tool that says what each thread is told.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <omp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long Ull;

enum { kThreads = 2, kMost = 64, kLength = 80 };
static char said[kThreads][kMost][kLength];
static int count[kThreads];

/* The implicit task has the number of its thread, and one more. */
static void say(const ompt_data_t* task, const char* format, ...) {
  if (task == NULL || task->value == 0) return;
  const int thread = (int)task->value - 1;
  if (count[thread] == kMost) abort();
  va_list values;
  va_start(values, format);
  vsnprintf(said[thread][count[thread]++], kLength, format, values);
  va_end(values);
}

static const char* name_of(ompt_scope_endpoint_t endpoint) {
  return endpoint == ompt_scope_begin ? "begin" : "end";
}

static void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task,
                          unsigned size, unsigned number, int flags) {
  (void)region, (void)size;
  if (endpoint == ompt_scope_begin && (flags & ompt_task_implicit) != 0) task->value = number + 1;
}

static void dispatch(ompt_data_t* region, ompt_data_t* task, ompt_dispatch_t kind,
                     ompt_data_t instance) {
  (void)region;
  const ompt_dispatch_chunk_t* chunk = instance.ptr;
  say(task, "%s %llu + %llu", kind == ompt_dispatch_distribute_chunk ? "part" : "chunk",
      (Ull)chunk->start, (Ull)chunk->iterations);
}

/* The address must be in the program. */
static void work(ompt_work_t type, ompt_scope_endpoint_t endpoint, ompt_data_t* region,
                 ompt_data_t* task, uint64_t iterations, const void* code) {
  (void)region;
  static const char* const names[] = {
      "",           "loop",     "sections", "single", "other single", "workshare",
      "distribute", "taskloop", "scope",    "",       "loop static"};
  Dl_info where;
  Dl_info own;
  const bool here = dladdr(code, &where) != 0 && dladdr((void*)dispatch, &own) != 0 &&
                    where.dli_fbase == own.dli_fbase;
  say(task, "%s %s %llu%s", name_of(endpoint), names[type], (Ull)iterations,
      here ? "" : " from nowhere");
}

static void masked(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task,
                   const void* code) {
  (void)region, (void)code;
  say(task, "%s masked", name_of(endpoint));
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_implicit_task, (ompt_callback_t)implicit_task);
  set(ompt_callback_work, (ompt_callback_t)work);
  set(ompt_callback_masked, (ompt_callback_t)masked);
  set(ompt_callback_dispatch, (ompt_callback_t)dispatch);
  return 1;
}

static void finalize(ompt_data_t* data) { (void)data; }

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  (void)version, (void)runtime;
  return &result;
}

static void* call(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (found == NULL) {
    printf("there is no %s\n", name);
    exit(1);
  }
  return found;
}
#define CALL(result, name, ...) ((result(*)(__VA_ARGS__))call(#name))

static void all_regions(void) {
  __complex__ int place = CALL(__complex__ int, GOMP_loop_static_worksharing_start, Ull)(100);
  const Ull share = 100 / (Ull) __real__ place;
  const Ull first = share * (Ull) __imag__ place;
  CALL(void, GOMP_loop_static_worksharing_dispatch, Ull, Ull)(first, share / 2);
  CALL(void, GOMP_loop_static_worksharing_dispatch, Ull, Ull)(first + share / 2, share / 2);
  CALL(void, GOMP_loop_static_worksharing_end, void)();
#pragma omp barrier
  if (CALL(bool, GOMP_has_masked_thread_num_with_end, int)(1)) CALL(void, GOMP_masked_end, void)();
  CALL(void, GOMP_scope_start_with_end, void*)(NULL);
  CALL(void, GOMP_scope_end, void)();
#pragma omp barrier
  if (CALL(bool, GOMP_single_start_with_end, void)()) CALL(void, GOMP_single_end, void)();
#pragma omp barrier
  CALL(__complex__ int, GOMP_distribute_static_worksharing_start, Ull)(30);
  CALL(void, GOMP_distribute_static_worksharing_dispatch, Ull, Ull)(0, 30);
  /* The loop of a region in the construct ends before the construct does. */
  CALL(__complex__ int, GOMP_loop_static_worksharing_start, Ull)(7);
  CALL(void, GOMP_loop_static_worksharing_end, void)();
  CALL(void, GOMP_distribute_static_worksharing_end, void)();
}

int main(void) {
#pragma omp parallel num_threads(kThreads)
  all_regions();
  for (int thread = 0; thread < kThreads; thread++) {
    for (int i = 0; i < count[thread]; i++) printf("%d: %s\n", thread, said[thread][i]);
  }
  return 0;
}
