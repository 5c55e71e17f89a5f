/* SPDX-License-Identifier: Apache-2.0 */
/* What libbobbin.so.1 offers beside the OpenMP interfaces. Plain C, stable under BOBBIN_1.0. */
#pragma once

#include <stddef.h>

#include "bobbin/spawn.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Called once for each setting.
 *   user    as given to bobbin_env_report
 *   name    the setting, by the name of its ICV or, for Bobbin's own, of its variable
 *   value   what is in force
 *   source  where it came from, in a word or two: "default", "OMP_NUM_THREADS", "cgroup quota",
 *           "affinity mask"
 *   detail  more about the source, or ""
 * The strings are valid during the call only.
 */
typedef void (*bobbin_env_emit_t)(void* user, const char* name, const char* value,
                                  const char* source, const char* detail);

/* Reports every setting the runtime would use in this process, without starting any thread. */
void bobbin_env_report(bobbin_env_emit_t emit, void* user);

/*
 * How explicit tasks are created, queued and stolen. A policy is text, as in BOBBIN_TASK_POLICY:
 *
 *   bobbin_set_task_policy("creation=breadth-first,cutoff=tasks:64");
 *   #pragma omp parallel
 *   ...
 *
 * What the list does not name stays as it is. docs/environment.md tells what is possible, and what
 * it is good for. A policy changes no result, only which thread executes a task and when.
 *
 * All of these may be called anywhere in a program.
 */

/*
 * For the parallel regions that the calling task, or a task created by it from now on, forks next;
 * regions under way keep theirs. NULL: as the environment has it. Returns 0, or -1 if the text is
 * not understood; then nothing has changed.
 */
int bobbin_set_task_policy(const char* policy);

/*
 * For the tasks that are created from now on in the taskgroup region which the calling task is in,
 * until its end; taskgroups that begin in it start with the same. Only `creation` and `cutoff`: a
 * task is of a taskgroup, a queue of a thread. Returns 0, or -1 if the text is not understood or
 * there is no taskgroup.
 */
int bobbin_set_taskgroup_policy(const char* policy);

/*
 * What bobbin_set_task_policy would change, as text with every item. Returns its length; `buffer`
 * gets as much as fits into `size` bytes, the terminating zero included.
 */
size_t bobbin_get_task_policy(char* buffer, size_t size);

#ifdef __cplusplus
}
#endif
