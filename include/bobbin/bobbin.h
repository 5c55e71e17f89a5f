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
 *           "affinity mask"; "no effect" for a variable of the environment that decides nothing:
 *           then name and value are its own, and detail says why
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
 * task is of a taskgroup, a queue of a thread; and `creation=continuation` only in regions that
 * have it. Returns 0, or -1 if the text is not understood or there is no taskgroup.
 */
int bobbin_set_taskgroup_policy(const char* policy);

/*
 * What bobbin_set_task_policy would change, as text with every item. Returns its length; `buffer`
 * gets as much as fits into `size` bytes, the terminating zero included.
 */
size_t bobbin_get_task_policy(char* buffer, size_t size);

/*
 * A scheduler of the program's own for the tasks of a taskgroup: the runtime says when a task is
 * ready to run, and asks for one when a thread has nothing else to do. bench/scheduler.c is an
 * example.
 *
 * A task that is ready is handed over by `ready`. It is the program's until `next` or `steal` gives
 * it back, which they must do once, to whatever thread asks; that thread executes it, or sees to it
 * that one does for which the task scheduling constraint allows it.
 *
 * The callbacks are called by several threads at the same time, also while the same thread is in a
 * task of the group. They must exclude each other as they need to, should return soon, and must not
 * encounter an OpenMP construct, call a routine of OpenMP or of this header, or leave by anything
 * but their return.
 *
 * ready takes `task` over. It is called by the thread that creates the task, or completes the last
 * one that it depends on. `facts` are valid during the call.
 *
 * A task with mutexinoutset dependences is handed over as soon as it waits for nothing but those
 * that exclude it. Given back while one of them is being executed, it is put aside, and `ready`
 * hands it over once more when that one has completed, as another bobbin_task. If in between it
 * waited for a thread that may execute it, `facts` know its priority only.
 *
 * next gives a task for the thread `thread`, or 0 if it has none for it.
 *
 * steal gives a task that is meant for the thread `victim`, or 0. It is called for one thread after
 * the other when `next` gave none, by their numbers from thread + 1 on. May be NULL.
 *
 * Threads are given by their number in the team; -1 in `ready` is a thread outside of the team,
 * which has fulfilled an event.
 *
 * A callback may return 0 though there are tasks, to keep them for another thread, say. But while
 * no task of the group is being executed, except by threads that wait for others of its tasks,
 * somebody who asks must be given one, whoever it is. Asking for a second in vain then ends the
 * program with a message; so does a task that a callback returns and does not have: one that it
 * gave before, or never got.
 */
typedef unsigned long long bobbin_task; /* a task that is ready; never 0 */

typedef struct {
  size_t size; /* of this structure */
  int priority;
  unsigned long long hint; /* as given to bobbin_set_task_hint, or 0 */
  /* The first address that its depend clauses write and the first other one, or the first two that
   * they read. NULL: there is none. */
  const void* data;
  const void* other_data;
} bobbin_task_facts;

typedef struct {
  void (*ready)(void* user, int thread, bobbin_task task, const bobbin_task_facts* facts);
  bobbin_task (*next)(void* user, int thread);
  bobbin_task (*steal)(void* user, int thread, int victim);
} bobbin_scheduler;

/*
 * For the innermost taskgroup region, which the calling task has begun and in which it has created
 * no task yet: all tasks that are created in it and in taskgroups inside of it, but for undeferred
 * ones, which run at once, and those of a team of one thread. Tasks of any length are handed over;
 * none is run at once because there are enough. The structure is copied. `user` is passed to the
 * callbacks, the last of which returns before the taskgroup region ends. Under
 * creation=continuation the calling task stays on its thread from now on. Returns 0, or -1: there
 * is no such taskgroup, it has a scheduler, a callback is missing, or there is no memory.
 */
int bobbin_set_taskgroup_scheduler(const bobbin_scheduler* scheduler, void* user);

/* A word about the next task that the calling thread creates in such a taskgroup. */
void bobbin_set_task_hint(unsigned long long hint);

/*
 * Transparent tasks: several tasks submit the parts of one graph of dependent tasks in parallel.
 *
 *   bobbin_set_task_transparent(bobbin_impex);
 *   #pragma omp task depend(iterator(j = 0:n), inout: block[i][j])
 *   for (int j = 0; j < n; j++) {
 *     #pragma omp task depend(inout: block[i][j])
 *     ...
 *   }
 *
 * The values are those of omp_impex_t in OpenMP 6.0:
 *
 *   bobbin_import  The children are ordered behind what the task itself would have to wait for, by
 *                  the address that both name. The task begins at once. To read data it must wait
 *                  for them, as its children do: taskwait depend(in: ...).
 *   bobbin_export  What depends on the task waits for its children, too, by the address that both
 *                  name, whenever they are made. taskwait and taskgroup are as ever.
 *   bobbin_impex   Both.
 *
 * What children do at addresses that the task does not name is ordered among them only. They may do
 * at most what the task's own clauses say: write where it has (in)out, and read where it has in. Of
 * transparent tasks, mutexinoutset is taken for inout. Children may be transparent in their turn.
 *
 * An undeferred task has waited before it begins; if it exports, its children are ordered before
 * what its parent creates next, at all addresses.
 *
 * Of the next task with depend clauses, or the next undeferred one, that a task construct of the
 * calling task creates; others before it, and those of a taskloop, leave the word in place, and
 * bobbin_not_impex takes it back.
 * docs/architecture.md tells where this differs from the transparent clause. Returns 0, or -1:
 * there is no such value, or no memory, and nothing has changed.
 */
typedef enum {  // NOLINTBEGIN(readability-identifier-naming): as in OpenMP
  bobbin_not_impex = 0,
  bobbin_import = 1,
  bobbin_export = 2,
  bobbin_impex = 3
  // NOLINTEND(readability-identifier-naming)
} bobbin_impex_t;

int bobbin_set_task_transparent(int impex);

#ifdef __cplusplus
}
#endif
