/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path of a taskgroup, for gomp.c, kmp.c and bobbin/native_inline.h: begin, and the end
 * where no task of the group has been deferred or all have ended. It is taskgroup_begin() and
 * taskgroup_end() of runtime/task/wait/taskgroup_region.cpp, for groups with nothing special about
 * them.
 */
#pragma once

#include "layout.h"

/* C. NOLINTBEGIN(modernize-use-nullptr) */

/* False: nothing has been done. */
static __inline__ __attribute__((always_inline)) int bobbin_open_group_(
    struct bobbin_thread_v1* self) {
  if (__builtin_expect(!self || !self->groups, 0)) return 0;
  struct bobbin_task_v1* task = self->task;
  struct bobbin_group_v1* group = self->groups;
  struct bobbin_group_v1* around = task->group;
  if (around && (__atomic_load_n(&around->state, __ATOMIC_RELAXED) || around->internal ||
                 around->reductions)) {
    return 0;
  }
  self->groups = group->previous;
  group->internal = 0;
  group->previous = around;
  __atomic_store_n(&group->owner, self, __ATOMIC_RELAXED);
  group->reductions = 0;
  __atomic_store_n(&group->state, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&group->tasks, 0, __ATOMIC_RELAXED);
  task->group = group;
  return 1;
}

/* False: nothing has been done. */
static __inline__ __attribute__((always_inline)) int bobbin_close_group_(
    struct bobbin_thread_v1* self) {
  if (__builtin_expect(!self, 0)) return 0;
  struct bobbin_task_v1* task = self->task;
  struct bobbin_group_v1* group = task->group;
  struct bobbin_group_v1* around = group->previous;
  if (around && (__atomic_load_n(&around->state, __ATOMIC_RELAXED) || around->internal)) return 0;
  if (__atomic_load_n(&group->tasks, __ATOMIC_ACQUIRE) ||
      __atomic_load_n(&group->state, __ATOMIC_RELAXED) || group->reductions) {
    return 0;
  }
  task->group = around;
  group->previous = self->groups;
  self->groups = group;
  return 1;
}

/* NOLINTEND(modernize-use-nullptr) */
