/* SPDX-License-Identifier: Apache-2.0 */
/* What Bobbin tells a tool beyond OpenMP's interface (omp-tools.h). A tool finds the functions
 * bobbin_set_callback, bobbin_get_queued_tasks and so on by the lookup function that its
 * initializer gets. Under other runtimes they are not there. */
#ifndef BOBBIN_TOOL_H
#define BOBBIN_TOOL_H

#include "omp-tools.h"

/* NOLINTBEGIN: a C header with names like the specification's. */

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's own work for explicit tasks. Phases of a thread do not overlap, but the thread may
 * execute other tasks in a phase, which task-schedule events tell. */
typedef enum bobbin_phase_t {
  bobbin_phase_task_creation = 1,      /* a deferred task is allocated, and made known to others */
  bobbin_phase_dependence_check = 2,   /* its predecessors are looked for */
  bobbin_phase_dependence_release = 3, /* a task has ended, and its successors are made ready */
  bobbin_phase_dependence_wait = 4     /* an undeferred task, or a taskwait, for predecessors */
} bobbin_phase_t;

typedef enum bobbin_callbacks_t {
  bobbin_callback_phase = 1,
  bobbin_callback_steal = 2,
  bobbin_callback_brief = 3,
  bobbin_callback_worker = 4,
  bobbin_callback_wake = 5
} bobbin_callbacks_t;

/* The calling thread begins or ends a phase. codeptr_ra: of the construct, or NULL. */
typedef void (*bobbin_callback_phase_t)(bobbin_phase_t phase, ompt_scope_endpoint_t endpoint,
                                        const void* codeptr_ra);

/* The smallest group of the machine's tree with the processors of both, as far as it has more than
 * one processor and is not all of the machine. */
typedef enum bobbin_distance_t {
  bobbin_distance_unknown = 0, /* also if all processors are equally far apart */
  bobbin_distance_core = 1,
  bobbin_distance_cache = 2, /* the last level */
  bobbin_distance_node = 3,  /* of memory (NUMA) */
  bobbin_distance_package = 4,
  bobbin_distance_machine = 5
} bobbin_distance_t;

/* The calling thread has tried to steal from a thread that had tasks in its queue, and has got so
 * many. */
typedef void (*bobbin_callback_steal_t)(ompt_data_t* victim_thread_data, unsigned int tasks,
                                        bobbin_distance_t distance);

/* What a worker does. Workers are kernel threads, those of the runtime and those of the program
 * that have called it. Each carries one OpenMP thread at a time. */
typedef enum bobbin_worker_state_t {
  bobbin_worker_carries = 1, /* a thread executes on it */
  bobbin_worker_looks = 2,   /* for a thread to carry, spinning at last */
  bobbin_worker_sleeps = 3
} bobbin_worker_state_t;

/* Told by the worker, whichever OpenMP thread the call is on. worker_data: the tool's, zero at
 * first, and kept when the number goes to another kernel thread. thread_data: of the thread that it
 * carries, or NULL. A worker that a thread of the program takes back in a signal handler is not
 * told before its next change. */
typedef void (*bobbin_callback_worker_t)(ompt_data_t* worker_data, unsigned int worker,
                                         bobbin_worker_state_t state, ompt_data_t* thread_data);

/* The calling thread has ended the wait of a suspended one. Not told of the wait for the end of a
 * region, which is behind a barrier. */
typedef void (*bobbin_callback_wake_t)(ompt_data_t* woken_thread_data);

/* What a tool may want to be told briefly, because it is brief and happens often. */
typedef enum bobbin_brief_t {
  bobbin_brief_task = 1,    /* a task without clauses that its maker executes at once */
  bobbin_brief_taskwait = 2 /* a taskwait of a task that has no child to wait for */
} bobbin_brief_t;

/* thread_data: of the calling thread. Returns 1 if the tool is content with this call. Then it is
 * told no other event of the construct, and the task's block counts as part of the task that has
 * made it. 0: it is told all events. */
typedef int (*bobbin_callback_brief_t)(bobbin_brief_t construct, ompt_data_t* thread_data,
                                       const void* codeptr_ra);

/* The function bobbin_get_queued_tasks: how many tasks are in the queue of the calling thread. */
typedef unsigned int (*bobbin_get_queued_tasks_t)(void);

/* The program before the tool. Counters are those of the processor, nanoseconds CLOCK_MONOTONIC. */
typedef struct bobbin_start_t {
  uint64_t loaded_counter; /* when the runtime was loaded */
  uint64_t loaded_ns;      /* the same moment */
  uint64_t called_counter; /* when the program called it first; then it starts, and the tool */
} bobbin_start_t;

/* The function bobbin_get_start. */
typedef void (*bobbin_get_start_t)(bobbin_start_t* start);

/* What the runtime has used so far, in this process. */
typedef struct bobbin_usage_t {
  uint64_t stacks;           /* of OpenMP threads, which are kept for later ones */
  uint64_t switches;         /* a kernel thread went from one OpenMP thread, or from its search for
                              * one, to another; while a tool watches */
  uint64_t helpers;          /* kernel threads that were begun to execute OpenMP threads */
  uint64_t spares;           /* how often one more was put to work, because a thread held its own */
  uint64_t descriptor_bytes; /* memory for tasks, which is kept for later ones */
} bobbin_usage_t;

/* The function bobbin_get_usage. */
typedef void (*bobbin_get_usage_t)(bobbin_usage_t* usage);

/* As ompt_set_callback. */
typedef ompt_set_result_t (*bobbin_set_callback_t)(bobbin_callbacks_t event,
                                                   ompt_callback_t callback);

#ifdef __cplusplus
}
#endif

/* NOLINTEND */

#endif
