/* SPDX-License-Identifier: Apache-2.0 */
/* Resumable tasks. Here they are ordinary ones, so no resumable function is ever called. */
#include "team.h"

void bobbin_omp_resumable_task(const struct bobbin_omp_resumable* task, void* data,
                               unsigned flags) {
  const struct bobbin_omp_task_clauses clauses = {.flags = flags};
  bobbin_omp_task_with(task->function, data, task->data_size, 16, &clauses);
}

int bobbin_omp_make_way(struct bobbin_omp_frame* frame, const struct bobbin_omp_resumable* task,
                        void* data, unsigned flags) {
  (void)frame;
  bobbin_omp_resumable_task(task, data, flags);
  return 1;
}

int bobbin_omp_resumable_taskwait(struct bobbin_omp_frame* frame) {
  (void)frame;
  bobbin_omp_taskwait();
  return 1;
}

struct bobbin_omp_frame* bobbin_omp_call_frame(struct bobbin_omp_frame* caller,
                                               int (*resume)(struct bobbin_omp_frame* frame),
                                               unsigned long size) {
  (void)caller;
  (void)resume;
  (void)size;
  return NULL;
}

void bobbin_omp_free_callee(struct bobbin_omp_frame* caller) { (void)caller; }

void bobbin_omp_frame_array(struct bobbin_omp_frame* frame, void* array, unsigned long size) {
  (void)frame;
  (void)array;
  (void)size;
}
