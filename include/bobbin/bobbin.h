/* SPDX-License-Identifier: Apache-2.0 */
/* libbobbin.so.1's own interface, beside those of OpenMP. Plain C, stable under BOBBIN_1.0. */
#pragma once

#include <stddef.h>

#include "bobbin/spawn.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Called once for each setting.
 *   user    as given to bobbin_env_report
 *   name    the setting's environment variable, or a fact about the machine in small letters
 *   value   the value in force
 *   source  where it came from, in a word or two: "default", "OMP_NUM_THREADS", "cgroup quota",
 *           "affinity mask"; "no effect" for a variable of the environment that decides nothing:
 *           then name and value are those of the variable, and detail says why
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
 * Items that the list does not name stay as they are. docs/environment.md tells which policies
 * there are, and what each is good for. A policy changes no result, only which thread executes a
 * task and when.
 *
 * All of these functions may be called anywhere in a program.
 */

/*
 * Sets the policy for the parallel regions that the calling task, or a task created by it from now
 * on, forks next; regions that have begun keep theirs. NULL: the policy of the environment. Returns
 * 0, or -1 if the text is not understood; then nothing has changed.
 */
int bobbin_set_task_policy(const char* policy);

/*
 * Sets the policy for the tasks that are created from now on in the taskgroup region which the
 * calling task is in, until its end. Taskgroups that begin in it start with the same policy. Only
 * `creation` and `cutoff` can be set, because a task belongs to a taskgroup, but a queue to a
 * thread. `creation=continuation` is possible only in regions that have it. Returns 0, or -1 if the
 * text is not understood or there is no taskgroup.
 */
int bobbin_set_taskgroup_policy(const char* policy);

/*
 * Gives the policy that bobbin_set_task_policy would change, as text with every item. Returns its
 * length; `buffer` gets as much as fits into `size` bytes, including the terminating zero.
 */
size_t bobbin_get_task_policy(char* buffer, size_t size);

/*
 * A scheduler of the program's own for the tasks of a taskgroup: the runtime says when a task is
 * ready to run, and asks for one when a thread has nothing else to do. bench/scheduler.c is an
 * example.
 *
 * A task that is ready is handed over by `ready`. The program holds it until `next` or `steal`
 * gives it back. They must do that once, to any thread that asks. That thread executes the task, or
 * passes it to a thread for which the task scheduling constraint allows it.
 *
 * The callbacks are called by several threads at the same time, also while the same thread is in a
 * task of the group. They must exclude each other as they need to, and should return soon. They
 * must not encounter an OpenMP construct, call a routine of OpenMP or of this header, or leave
 * except by their return.
 *
 * ready takes `task` over. It is called by the thread that creates the task, or by the thread that
 * completes the last task on which it depends. `facts` are valid during the call.
 *
 * A task with mutexinoutset dependences is handed over as soon as it waits only for tasks that
 * exclude it. If it is given back while one of them is being executed, it is put aside. When that
 * one has completed, `ready` hands the task over once more, as another bobbin_task. If in between
 * the task waited for a thread that may execute it, `facts` give only its priority.
 *
 * next gives a task for the thread `thread`, or 0 if it has none for it.
 *
 * steal gives a task that is meant for the thread `victim`, or 0. It is called when `next` gave
 * none, for one thread after the other, by their numbers from thread + 1 on. May be NULL.
 *
 * Threads are given by their number in the team; -1 in `ready` is a thread outside of the team,
 * which has fulfilled an event.
 *
 * A callback may return 0 although there are tasks, for example to keep them for another thread.
 * But if no task of the group is being executed, except by threads that wait for others of its
 * tasks, a thread that asks must be given a task, whichever thread it is. If threads ask in vain
 * for one second, the program ends with a message. It also ends with a message if a callback
 * returns a task that it does not have: one that it gave before, or never got.
 */
typedef unsigned long long bobbin_task; /* a task that is ready; never 0 */

typedef struct {
  size_t size; /* of this structure */
  int priority;
  unsigned long long hint; /* as given to bobbin_set_task_hint, or 0 */
  /* The first address that its depend clauses write, and the first other one; or the first two that
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
 * Sets the scheduler of the innermost taskgroup region. The calling task must have begun this
 * region, and must have created no task in it yet. The scheduler gets all tasks that are created in
 * the region and in taskgroups inside of it, except undeferred ones, which run at once, and those
 * of a team of one thread. Tasks of any length are handed over. None is run at once, even if there
 * are many tasks. The structure is copied. `user` is passed to the callbacks, the last of
 * which returns before the taskgroup region ends. Under creation=continuation the calling task
 * stays on its thread from now on. Returns 0, or -1: there is no such taskgroup, it has a
 * scheduler, a callback is missing, or there is no memory.
 */
int bobbin_set_taskgroup_scheduler(const bobbin_scheduler* scheduler, void* user);

/* Sets the hint of the next task that the calling thread creates in such a taskgroup. */
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
 *   bobbin_import  A child comes after the tasks for which the task itself would have to wait, by
 *                  the address that both the task and the child name. The task begins at once. To
 *                  read data it must wait for those tasks, as its children do:
 *                  taskwait depend(in: ...).
 *   bobbin_export  Tasks that depend on the task also wait for its children, by the address that
 *                  both the task and the child name, whenever the children are created. taskwait
 *                  and taskgroup do as always.
 *   bobbin_impex   Both.
 *
 * At addresses that the task does not name, its children are ordered only among themselves. They
 * may do at most what the task's own clauses say: write where it has (in)out, and read where it has
 * in. For a transparent task, mutexinoutset means inout. Children may be transparent, too.
 *
 * An undeferred task has waited before it begins. If it exports, its children come before the tasks
 * that its parent creates next, at all addresses.
 *
 * The value is for the next task with depend clauses, or the next undeferred task, that a task
 * construct of the calling task creates. Other tasks before it, and those of a taskloop, leave the
 * value in place. bobbin_not_impex takes it back.
 * docs/conformance.md tells where this differs from the transparent clause. Returns 0, or -1:
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

/*
 * Tasks that wait for something outside of OpenMP, such as a message, without keeping their thread
 * from executing other tasks. docs/mpi.md describes the layer for MPI that is made of this.
 *
 *   bobbin_blocker blocker = {0};
 *   begin_to_receive(&message, call_when_it_is_there, &blocker);  // calls bobbin_unblock(&blocker)
 *   bobbin_block(&blocker);
 *
 * bobbin_let_tasks_block applies to the parallel regions that begin from now on. In these regions
 * tasks are not executed in place of their creation, and each deferred task has a stack of its own
 * while it runs (up to 2,048 at a time), so a task costs some hundred nanoseconds more. Any number
 * of tasks may be blocked. A task goes on on the thread on which it began. An implicit task, an
 * undeferred task in a nested region, holds its thread, which then executes its children only. So
 * does any task where stacks cannot be exchanged: under a sanitizer, and on other processors than
 * x86-64 and AArch64.
 *
 * `poll` may be NULL. Otherwise threads call it when they look for a task, and while they have
 * nothing to do and are about to sleep, several at the same time. It should find out whether
 * something that a task waits for has come, call bobbin_unblock for it, and return soon: nonzero if
 * something is still waited for. It must not wait for tasks. It is not called while all threads are
 * busy or asleep.
 *
 * bobbin_block returns when bobbin_unblock has been called for the same blocker, before or after
 * it. It is a task scheduling point. A blocker serves once; {0} prepares it anew.
 *
 * bobbin_unblock may be called by any kernel thread. It does not touch the blocker after it has let
 * the waiting task go on.
 *
 * bobbin_blocks_task says whether something else could run while the calling task is blocked: it is
 * 1 in parallel regions of more than one thread, and in others that have begun after
 * bobbin_let_tasks_block. Otherwise it is 0, also in threads that OpenMP does not know, and a
 * program can wait as well in its own way.
 */
typedef struct {
  void* state;
} bobbin_blocker;

void bobbin_let_tasks_block(int (*poll)(void));
void bobbin_block(bobbin_blocker* blocker);
void bobbin_unblock(bobbin_blocker* blocker);
int bobbin_blocks_task(void);

#ifdef __cplusplus
}
#endif
