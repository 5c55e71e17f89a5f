/* SPDX-License-Identifier: Apache-2.0
 *
 * A tool that says what it is told of regions; with DECLINES, one that does not want to start; with
 * RUNTIME, the same in an OpenMP runtime that would look for tools itself.
 */
#include <omp-tools.h>
#include <stdio.h>

#if defined(DECLINES) || defined(RUNTIME)

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  return NULL;
}

#else

static void begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* region,
                  unsigned requested, int flags, const void* code) {
  (void)task, (void)frame, (void)region, (void)flags;
  printf("region of %u%s\n", requested, code != NULL ? "" : " from nowhere");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_parallel_begin, (ompt_callback_t)begin);
  printf("tool %lu on device %d\n", (unsigned long)data->value, device);
  return 1;
}

static void finalize(ompt_data_t* data) { printf("end of tool %lu\n", (unsigned long)data->value); }

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {7}};
  printf("%u %s\n", version, runtime);
  return &result;
}

#endif

#ifdef RUNTIME
void __kmpc_fork_call(void);
void __kmpc_fork_call(void) {}
#endif
