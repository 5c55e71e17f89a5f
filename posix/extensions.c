/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks for which Bobbin does more. A resumable task is an ordinary one here, so no resumable
 * function is ever called. A taskgraph region is a taskgroup region whose statements are executed
 * each time, as if no record had been found. A policy changes no result. */
#include "team.h"

void bobbin_omp_resumable_task(const struct bobbin_omp_resumable* task, void* data,
                               unsigned flags) {
  const struct bobbin_omp_task_clauses clauses = {.flags = flags};
  bobbin_omp_task_with(task->function, data, task->data_size, 16, &clauses);
}

int bobbin_omp_make_way(struct bobbin_omp_frame* frame, const struct bobbin_omp_resumable* task,
                        void* data, unsigned flags) {
  return bobbin_omp_resumable_task(task, data, flags), 1;
}

int bobbin_omp_resumable_taskwait(struct bobbin_omp_frame* frame) {
  return bobbin_omp_taskwait(), 1;
}

struct bobbin_omp_frame* bobbin_omp_call_frame(struct bobbin_omp_frame* caller,
                                               int (*resume)(struct bobbin_omp_frame* frame),
                                               unsigned long size) {
  return NULL;
}
void bobbin_omp_free_callee(struct bobbin_omp_frame* caller) {}
void bobbin_omp_frame_array(struct bobbin_omp_frame* frame, void* array, unsigned long size) {}

int bobbin_omp_taskgraph_begin(void** graphs, unsigned long long id, unsigned flags,
                               void* surroundings) {
  return bobbin_omp_taskgroup_begin(), 1;
}
void bobbin_omp_taskgraph_end(void) { bobbin_omp_taskgroup_end(); }

void bobbin_omp_replayable_task(function_type* function, void* data, unsigned long size,
                                unsigned long alignment,
                                const struct bobbin_omp_task_clauses* clauses,
                                void (*relocate)(void* data, void* surroundings)) {
  bobbin_omp_task_with(function, data, size, alignment, clauses);
}

void bobbin_omp_replayable_taskloop(function_type* function, void* data, unsigned long size,
                                    unsigned long alignment, unsigned flags, int priority,
                                    unsigned long long count, int division,
                                    unsigned long long value,
                                    void (*relocate)(void* data, void* surroundings)) {
  bobbin_omp_taskloop(function, data, size, alignment, flags, priority, count, division, value);
}

void bobbin_omp_taskgroup_policy(const char* policy) {}

void bobbin_omp_taskgroup_scheduler(const void* scheduler, void* user) {
  bobbin_posix_fatal("a scheduler of the program's own needs Bobbin");
}

void bobbin_omp_transparent(int impex) {
  if (impex != bobbin_omp_not_impex) bobbin_posix_fatal("transparent tasks need Bobbin");
}
