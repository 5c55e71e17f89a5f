/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C that `bobbin translate` has written calls. It is no interface for people, who write OpenMP
 * directives; but it may be read, and called.
 *
 * A function here never changes: a program that was translated by an older Bobbin runs on a newer
 * one. A construct that needs another function gets one with another name. BOBBIN_NATIVE counts
 * what has been added. The file includes nothing, because the translator puts it before the user's
 * first line.
 *
 * Iterations are numbers: a loop, or a nest of loops, has the iterations 0 to count - 1, and the
 * translated program computes its variables from them.
 */
#pragma once

#define BOBBIN_NATIVE 4

#ifdef __cplusplus
extern "C" {
#endif

/* C, whose names are like this. NOLINTBEGIN(readability-identifier-naming) */

/* The words of proc_bind as omp_proc_bind_t has them; 0: no clause. threads: 0 if there is no
 * num_threads clause, 1 also if the if clause is false. */
void bobbin_omp_parallel(void (*function)(void* data), void* data, unsigned threads, unsigned bind);

/* The same with further clauses. is_strict: a team with fewer threads than `threads` is an error,
 * which ends the program unless it only warns. message and task_policy may be null; the latter has
 * the syntax of BOBBIN_TASK_POLICY. */
struct bobbin_omp_parallel_clauses {
  unsigned threads;
  unsigned bind;
  int is_strict;
  int only_warns;
  const char* message;
  const char* task_policy;
};
void bobbin_omp_parallel_with(void (*function)(void* data), void* data,
                              const struct bobbin_omp_parallel_clauses* clauses);

/* The threads of a team meet. A barrier of a region that may be cancelled returns 1 if the parallel
 * region has been cancelled: then the thread goes to its end. */
enum { bobbin_omp_explicit_barrier = 0, bobbin_omp_workshare_barrier = 1 };
void bobbin_omp_barrier(int kind);
int bobbin_omp_cancellable_barrier(int kind);

/* A worksharing loop: the thread takes chunks [*first, *last) until a call returns 0, then ends the
 * loop, which is no barrier. chunk: 0 if none is given. */
enum {
  bobbin_omp_static = 1,
  bobbin_omp_dynamic = 2,
  bobbin_omp_guided = 3,
  bobbin_omp_runtime = 4,
  bobbin_omp_ordered = 16 /* added if ordered regions bind to the loop */
};
int bobbin_omp_loop_begin(unsigned long long count, unsigned schedule, unsigned long long chunk,
                          unsigned long long* first, unsigned long long* last);
int bobbin_omp_loop_next(unsigned long long* first, unsigned long long* last);
void bobbin_omp_loop_end(void);

/* A loop with a static schedule without a chunk size: the thread has one chunk, which may be empty.
 */
void bobbin_omp_static_begin(unsigned long long count, unsigned long long* first,
                             unsigned long long* last);
void bobbin_omp_static_end(void);

/* The same with a chunk size. The thread's first chunk, unless 0 is returned, and the distance from
 * each of its chunks to the next one. */
int bobbin_omp_static_chunks_begin(unsigned long long count, unsigned long long chunk,
                                   unsigned long long* first, unsigned long long* last,
                                   unsigned long long* distance);
static __inline__ int bobbin_omp_static_chunks_next(unsigned long long count,
                                                    unsigned long long chunk,
                                                    unsigned long long* first,
                                                    unsigned long long* last,
                                                    unsigned long long distance) {
  if (count - *first <= distance) return 0;
  *first += distance;
  *last = count - *first > chunk ? *first + chunk : count;
  return 1;
}

void bobbin_omp_ordered_begin(void);
void bobbin_omp_ordered_end(void);

/* A loop with ordered(n). counts: the numbers of iterations of its n loops, the outermost first.
 * The threads take chunks of the outermost one, as with bobbin_omp_loop_begin; then
 * bobbin_omp_loop_next and bobbin_omp_loop_end. The iterations before those of a chunk have been
 * taken, so a wait for one of them ends. */
int bobbin_omp_doacross_begin(unsigned loops, const unsigned long long* counts, unsigned schedule,
                              unsigned long long chunk, unsigned long long* first,
                              unsigned long long* last);
/* iteration: n numbers, one of each loop. What a thread did before it posts an iteration has
 * happened for the thread that has waited for the iteration. Those that a thread posts come in the
 * order of the loops. An iteration that is waited for is one of the loops', and is posted or
 * followed by one that its thread posts. */
void bobbin_omp_doacross_post(const unsigned long long* iteration);
void bobbin_omp_doacross_wait(const unsigned long long* iteration);

/* All threads of the team call it, in the order of their worksharing regions, each with a pointer
 * of its own. It returns them all, by the threads' numbers, and tells the thread's own number and
 * the number of threads. begin and end include a barrier; the array is valid between them. */
void* const* bobbin_omp_exchange_begin(void* own, unsigned* thread, unsigned* threads);
void bobbin_omp_exchange_end(void);
/* The same in a region that may be cancelled. Null: the parallel region has been cancelled, and the
 * thread goes to its end instead of calling `end`. */
void* const* bobbin_omp_cancellable_exchange_begin(void* own, unsigned* thread, unsigned* threads);

/* Zeroed memory for the values of a scan: `count` times `size` bytes. Never null: the program ends
 * with a message if there is none. */
__attribute__((malloc)) void* bobbin_omp_scan_memory(unsigned long long count, unsigned long size);
void bobbin_omp_scan_memory_free(void* memory);

/* The number of the section to execute, from 1 on; 0: there is none. bobbin_omp_loop_end ends it.
 */
unsigned bobbin_omp_sections_begin(unsigned count);
unsigned bobbin_omp_sections_next(void);

/* 1: this thread executes the region, and ends it. No barrier. */
int bobbin_omp_single_begin(void);
void bobbin_omp_single_end(void);
/* All threads call it after a single region with copyprivate: `copy(own data, data of the thread
 * that has executed the region)` is called in the others. It includes the barriers. */
void bobbin_omp_copyprivate(void* data, void (*copy)(void* to, void* from), int executed);

int bobbin_omp_masked_begin(int filter);
void bobbin_omp_masked_end(void);

/* lock: where the lock of the name is, zero at first; null for critical without a name. */
void bobbin_omp_critical_begin(void** lock);
void bobbin_omp_critical_end(void** lock);
/* Around the combining of a reduction, and around an atomic operation that the processor lacks. */
void bobbin_omp_combine_begin(void);
void bobbin_omp_combine_end(void);
void bobbin_omp_atomic_begin(void);
void bobbin_omp_atomic_end(void);

/* The memory orders of atomic and flush, which are the compilers' own builtins. Their macros would
 * not be known in what has been preprocessed. */
enum {
  bobbin_omp_relaxed = __ATOMIC_RELAXED,
  bobbin_omp_acquire = __ATOMIC_ACQUIRE,
  bobbin_omp_release = __ATOMIC_RELEASE,
  bobbin_omp_acq_rel = __ATOMIC_ACQ_REL,
  bobbin_omp_seq_cst = __ATOMIC_SEQ_CST
};

/* Tasks. `size` bytes of `data` are copied if the task does not run at once. */
enum {
  bobbin_omp_untied = 1,
  bobbin_omp_final = 2,
  bobbin_omp_mergeable = 4,
  bobbin_omp_undeferred = 8,     /* the if clause is false */
  bobbin_omp_nogroup = 16,       /* taskloop */
  bobbin_omp_strict = 32,        /* taskloop */
  bobbin_omp_pool = 64,          /* threadset(omp_pool) */
  bobbin_omp_constant_data = 128 /* the function does not change what `data` leads to */
};
enum {
  bobbin_omp_in = 0,
  bobbin_omp_out = 1,
  bobbin_omp_inout = bobbin_omp_out,
  bobbin_omp_mutexinoutset = 2,
  bobbin_omp_inoutset = 3
};
struct bobbin_omp_dependence {
  const volatile void* address; /* null, with out: omp_all_memory */
  unsigned char kind;
};
struct bobbin_omp_task_clauses {
  unsigned flags;
  int priority;
  unsigned long dependences;
  const struct bobbin_omp_dependence* depend;
  void** event; /* detach: where to store the handle, which the first word of `data` gets, too */
};
void bobbin_omp_task(void (*function)(void* data), void* data, unsigned long size,
                     unsigned long alignment);
void bobbin_omp_task_with(void (*function)(void* data), void* data, unsigned long size,
                          unsigned long alignment, const struct bobbin_omp_task_clauses* clauses);

/* `data` begins with two unsigned long long, which tell each task its iterations [first, last).
 * With grainsize `number` is that; with num_tasks likewise; otherwise it is 0. */
enum { bobbin_omp_no_division = 0, bobbin_omp_grainsize = 1, bobbin_omp_num_tasks = 2 };
void bobbin_omp_taskloop(void (*function)(void* data), void* data, unsigned long size,
                         unsigned long alignment, unsigned flags, int priority,
                         unsigned long long count, int division, unsigned long long number);

/* A taskloop whose tasks depend on others is a loop over its chunks, each of which becomes a task.
 * The iterations [range[0], range[1]) of the chunk with that number; 0: there are fewer chunks. The
 * arguments are those of bobbin_omp_taskloop. */
int bobbin_omp_taskloop_chunk(unsigned long long count, unsigned flags, int division,
                              unsigned long long number, unsigned long long chunk,
                              unsigned long long* range);
/* A list that grows. It begins as {0}. With a `count` of 0 it is empty again. If there is no
 * memory, the program ends with a message. */
struct bobbin_omp_dependence_list {
  struct bobbin_omp_dependence* items;
  unsigned long count;
  unsigned long capacity;
};
void bobbin_omp_dependence_list_grow(struct bobbin_omp_dependence_list* list);
void bobbin_omp_dependence_list_free(struct bobbin_omp_dependence_list* list);
static __inline__ void bobbin_omp_add_dependence(struct bobbin_omp_dependence_list* list,
                                                 struct bobbin_omp_dependence dependence) {
  if (list->count == list->capacity) bobbin_omp_dependence_list_grow(list);
  list->items[list->count++] = dependence;
}

void bobbin_omp_taskwait(void);
/* nowait: 1 makes an empty task that others may depend on. */
void bobbin_omp_taskwait_depend(const struct bobbin_omp_dependence* depend,
                                unsigned long dependences, int nowait);
/* An omp_depend_t, whose first word leads to memory of the runtime from `set` to `destroy`. */
void bobbin_omp_depobj_set(void* object, const struct bobbin_omp_dependence* dependence);
void bobbin_omp_depobj_update(void* object, int kind);
struct bobbin_omp_dependence bobbin_omp_depobj_get(const void* object);
void bobbin_omp_depobj_destroy(void* object);
void bobbin_omp_taskyield(void);
void bobbin_omp_taskgroup_begin(void);
void bobbin_omp_taskgroup_end(void);

/* Reductions by tasks. Each thread accumulates in a copy of its own. `original` is what the copies
 * are combined into. `initial` is passed to `initialize`. Tasks name the item by either of them.
 * `size` is in bytes, and is passed to both functions: the item may be an array. */
struct bobbin_omp_reduction {
  void* original;
  void* initial;
  unsigned long size;
  void (*initialize)(void* copy, void* initial, unsigned long size);
  void (*combine)(void* into, void* copy, unsigned long size);
};
/* For the taskgroup that the task has just begun; bobbin_omp_taskgroup_end combines. */
void bobbin_omp_task_reductions(const struct bobbin_omp_reduction* items, unsigned long count);
/* The same with copies in memory of an allocator, as bobbin_omp_allocate has it. Either function
 * may be called several times. */
void bobbin_omp_allocated_task_reductions(const struct bobbin_omp_reduction* items,
                                          unsigned long count, unsigned long minimum,
                                          unsigned long allocator);
/* The task modifier of a reduction clause: all threads of the team call both, each with private
 * copies of its own as originals. The second one waits for the tasks that the thread has created in
 * between; when all threads have called it, the last one of them has combined all copies into its
 * originals. */
void bobbin_omp_region_reductions_begin(const struct bobbin_omp_reduction* items,
                                        unsigned long count);
void bobbin_omp_region_reductions_end(void);
/* In a task: the thread's copy of the item with that original, or of which that is a copy. */
void* bobbin_omp_own_copy(void* original);

/* For the taskgroup region that has just begun: a policy, or a scheduler of the program's (a
 * bobbin_scheduler of bobbin.h) and its argument. What is not possible ends the program. */
void bobbin_omp_taskgroup_policy(const char* policy);
void bobbin_omp_taskgroup_scheduler(const void* scheduler, void* user);

/* transparent: for the next task that has dependences or is undeferred. The values are those of
 * omp_impex_t; the last one takes it back. */
enum {
  bobbin_omp_import = 1,
  bobbin_omp_export = 2,
  bobbin_omp_impex = 3,
  bobbin_omp_not_impex = 0
};
void bobbin_omp_transparent(int impex);

/* taskgraph: 1 if the program executes the region's statements, which are the first execution of
 * the graph; 0 if the runtime replays the tasks that were recorded then. In both cases `end`
 * follows. graphs: where the graphs of the construct are kept, null at first. id: that of graph_id,
 * or 0. */
enum { bobbin_omp_graph_reset = 1, bobbin_omp_graph_disabled = 2 /* the if clause is false */ };
int bobbin_omp_taskgraph_begin(void** graphs, unsigned long long id, unsigned flags,
                               void* surroundings);
void bobbin_omp_taskgraph_end(void);
/* Replayable tasks. A replayed task begins with the data that it was recorded with; then
 * relocate(data, surroundings) sets the addresses of its shared variables anew, unless it is null.
 * `surroundings` is that of the replay. */
void bobbin_omp_replayable_task(void (*function)(void* data), void* data, unsigned long size,
                                unsigned long alignment,
                                const struct bobbin_omp_task_clauses* clauses,
                                void (*relocate)(void* data, void* surroundings));
void bobbin_omp_replayable_taskloop(void (*function)(void* data), void* data, unsigned long size,
                                    unsigned long alignment, unsigned flags, int priority,
                                    unsigned long long count, int division,
                                    unsigned long long number,
                                    void (*relocate)(void* data, void* surroundings));

/* 1: the region is cancelled, and the thread goes to its end. condition: that of the if clause. */
enum {
  bobbin_omp_cancel_parallel = 0,
  bobbin_omp_cancel_for = 1,
  bobbin_omp_cancel_sections = 2,
  bobbin_omp_cancel_taskgroup = 3
};
int bobbin_omp_cancel(int region, int condition);
int bobbin_omp_cancellation_point(int region);

/* error at(execution): prints the place of the directive, and the message unless it is null. A
 * fatal one ends the program. */
void bobbin_omp_error(int is_fatal, const char* file, unsigned line, unsigned column,
                      const char* message);

/* The host is the only device. A device number as omp_get_device_num has it, or one of these. The
 * program ends if the device cannot be the host: OMP_TARGET_OFFLOAD=mandatory. */
enum {
  bobbin_omp_initial_device = -1,      /* the host */
  bobbin_omp_device_by_default = -100, /* no device clause */
  bobbin_omp_host_by_if = -101         /* the if clause is false */
};
/* A target region: an initial task, with the ICVs that the program began with. thread_limit: 0 if
 * there is no such clause. It returns when the region has ended. */
void bobbin_omp_target(void (*function)(void* data), void* data, int device, int thread_limit);
/* What target data, target update and the like do beside waiting for their dependences. */
void bobbin_omp_target_data(int device);

/* The teams of a league: each calls the function in an initial task, one after the other or at the
 * same time. teams: the upper bound of num_teams, 0 if there is no such clause. */
void bobbin_omp_teams(void (*function)(void* data), void* data, int teams, int thread_limit);

/* A loop of distribute: the team's chunks [*first, *last), which follow from the number of the team
 * alone. chunk: that of dist_schedule; 0: each team has one chunk, which may be empty.
 * `next` takes the chunk that the call before has given. They return 0 if there is no chunk. */
int bobbin_omp_distribute_begin(unsigned long long count, unsigned long long chunk,
                                unsigned long long* first, unsigned long long* last);
int bobbin_omp_distribute_next(unsigned long long count, unsigned long long chunk,
                               unsigned long long* first, unsigned long long* last);
void bobbin_omp_distribute_end(void);

/* Memory for a variable: `size` bytes, at an address that is a multiple of both powers of two. A
 * minimum of 0 is none. allocator: an omp_allocator_handle_t; 0: the default one of the task. The
 * program ends with a message if there is no memory. */
__attribute__((malloc)) void* bobbin_omp_allocate(unsigned long size, unsigned long alignment,
                                                  unsigned long minimum, unsigned long allocator);
/* For the attribute `cleanup`: frees the memory to which the pointer at `pointer` points. */
void bobbin_omp_deallocate(const void* pointer);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif
