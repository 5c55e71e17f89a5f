/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "team.h"

/* C, whose names are like this. NOLINTBEGIN(readability-identifier-naming) */

struct new_task {
  function_type* function;
  void* data;
  size_t size;
  size_t alignment;
  unsigned flags;
  int priority;
  bool is_copied; /* the data, even if the task runs at once */
  const struct bobbin_omp_dependence* depend;
  unsigned long dependences;
  void** event;
};

/* To a task that waits for another one. */
struct edge {
  struct edge* next;
  struct task* task;
};

/* The lock is held. The task waits for its siblings that have not completed and that it depends on,
 * and later siblings may wait for it. */
void add_dependences(struct task* task, const struct bobbin_omp_dependence* depend,
                     unsigned long count);
void forget_dependences(struct task* task);

/* reductions.c: into the originals, when the taskgroup's tasks have completed. Frees it. */
void combine_reductions(struct reductions* reductions);

/* NOLINTEND(readability-identifier-naming) */
