// SPDX-License-Identifier: Apache-2.0
// Where a tool is told that regions and tasks are. A function that ends in its construct leaves by
// a jump, so the runtime returns to a caller of the function.
#include <dlfcn.h>
#include <omp-tools.h>

#include "check.h"

#define NOINLINE __attribute__((noinline))

static const void *region_code, *task_code;
static int started;

static void on_region(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* region,
                      unsigned threads, int flags, const void* code) {
  (void)task, (void)frame, (void)region, (void)threads, (void)flags;
  __atomic_store_n(&region_code, code, __ATOMIC_RELAXED);
}

static void on_task(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* made, int flags,
                    int dependent, const void* code) {
  (void)task, (void)frame, (void)made, (void)dependent;
  if ((flags & ompt_task_explicit) != 0) __atomic_store_n(&task_code, code, __ATOMIC_RELAXED);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_region);
  set(ompt_callback_task_create, (ompt_callback_t)on_task);
  return 1;
}

static void finalize(ompt_data_t* data) { (void)data; }

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  started = 1;
  return &result;
}

static const void* program;  // where its file begins

static const void* file_of(const void* code) {
  Dl_info file;
  return dladdr(code, &file) != 0 ? file.dli_fbase : NULL;
}

static const void* code_of_region(void (*function)(void)) {
  function();
  const void* code = __atomic_load_n(&region_code, __ATOMIC_RELAXED);
  CHECK(file_of(code) == program);
  return code;
}

static int bodies;

static NOINLINE void ends_in_region(void) {
#pragma omp parallel num_threads(2)
  add_one(&bodies);
}

static NOINLINE void ends_in_loop(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < 2; i++) add_one(&bodies);
}

static NOINLINE void goes_on(void) {
#pragma omp parallel num_threads(2)
  add_one(&bodies);
  add_one(&bodies);
}

// Each of them has one place, wherever it is called.
static void tail_calls(void) {
  void (*const functions[])(void) = {ends_in_region, ends_in_loop, goes_on};
  const void* codes[3];
  for (int i = 0; i < 3; i++) {
    void (*volatile function)(void) = functions[i];
    codes[i] = code_of_region(function);
  }
  CHECK(codes[0] != codes[1] && codes[1] != codes[2] && codes[0] != codes[2]);
  ends_in_region();
  CHECK(region_code == codes[0]);
  ends_in_loop();
  CHECK(region_code == codes[1]);
  goes_on();
  CHECK(region_code == codes[2]);
}

static NOINLINE void inner(void) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  add_one(&bodies);
}

static NOINLINE void other_inner(void) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  add_one(&bodies);
}

// The inner region is the last call of the outer one's function, which the runtime has called.
static void nested_tail_calls(void) {
  const void* code = code_of_region(inner);
  CHECK(code != code_of_region(other_inner));
  CHECK(code == code_of_region(inner));
}

static __attribute__((always_inline)) inline void inlined(void) {
#pragma omp parallel num_threads(2)
  add_one(&bodies);
  add_one(&bodies);
}

// The place of a call that is no jump is that to which it returns.
static void inlined_twice(void) {
  inlined();
  const void* code = region_code;
  inlined();
  CHECK(file_of(code) == program);
  CHECK(code != region_code);
}

static NOINLINE void ends_in_task(void) {
#pragma omp task
  add_one(&bodies);
}

static NOINLINE void makes_tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    ends_in_task();
    const void* code = task_code;
    CHECK(file_of(code) == program);
    ends_in_task();
    CHECK(task_code == code);
#pragma omp task
    {
#pragma omp task
      add_one(&bodies);
    }
#pragma omp taskwait
    CHECK(file_of(task_code) == program);
  }
}

int main(void) {
  CHECK_BEGIN();
  program = file_of((const void*)&bodies);
  omp_set_max_active_levels(2);
#pragma omp parallel
  add_one(&bodies);
  CHECK(started);
  RUN(tail_calls);
  RUN(nested_tail_calls);
  RUN(inlined_twice);
  RUN(makes_tasks);
  return check_end();
}
