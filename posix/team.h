/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bobbin/native.h on POSIX threads alone, for translated programs that run without Bobbin. It is
 * meant to be obviously right, and is not fast: there is one lock and one condition variable, and
 * whoever changes something that others wait for wakes all of them.
 *
 * Everything in a team, its tasks and its constructs is guarded by the lock, except what says
 * otherwise.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "bobbin/native.h"

/* C, whose names are like this. NOLINTBEGIN(readability-identifier-naming) */

/* Many parameters of native.h and omp.h have no meaning here. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

typedef unsigned long long number;
typedef void function_type(void* data);

enum { kMaxLevels = 16 };
enum { kAuto = 4 }; /* beside the schedules of native.h; it is the static one */

/* What a task inherits from its parent. */
struct settings {
  unsigned threads[kMaxLevels]; /* by level; 0 ends the list */
  int dynamic;
  int default_device;
  unsigned max_active_levels;
  unsigned schedule;
  number chunk;
};

/* What the program began with, read from the variables OMP_* before main. */
struct environment {
  struct settings settings;
  unsigned thread_limit;
  int teams;
  int teams_thread_limit;
  int cancellation;
  int offload_is_mandatory;
  int max_task_priority;
  size_t stack_size;
};
extern struct environment bobbin_posix_environment;

struct group {
  struct group* around;
  struct task* opener;
  unsigned tasks; /* that have not completed */
  bool cancelled;
  struct reduction* reductions; /* by its tasks; may be null */
};

struct task {
  struct task* parent; /* valid until it has completed; null: an implicit task */
  struct team* team;
  struct group* group; /* the innermost one that it is in, or has opened */
  struct group* created_in;
  struct task* next; /* in the team's queue */
  struct task* previous;
  function_type* function;
  void* data;               /* a copy, which is freed with an explicit task */
  struct settings settings; /* the thread's own that executes the task; no lock */
  unsigned references;      /* its own and one of each child, until they have completed */
  unsigned children;        /* that have not completed */
  unsigned predecessors;    /* that have not completed */
  unsigned pending;         /* 0: it has completed. One until it has run, and one until its event */
  unsigned depth;           /* how many tasks of the team are its ancestors */
  unsigned id;
  unsigned creator; /* the id of its parent */
  int priority;
  bool is_final;
  bool is_deferred; /* its creator does not wait for it */
  bool has_event;
};

/* A worksharing construct. The thread that meets it first makes the record. It is freed when all
 * threads have met the next one, so each thread finds that one from its own last one. */
struct work {
  struct work* next;
  unsigned met; /* by so many threads */
  bool is_entered;
  bool cancelled;
  number count;
  unsigned schedule;
  number chunk;
  number taken; /* iterations, by dynamic schedules */
  number turn;  /* ordered: all iterations before it are done */
};

struct team {
  unsigned size;
  unsigned level;
  unsigned active_level;
  unsigned team_num;
  unsigned num_teams;
  unsigned thread_limit;
  struct member* master; /* that has forked it; null: an initial team */
  struct member* members;
  unsigned arrived; /* at a barrier */
  number generation;
  unsigned finished; /* members that have executed the region */
  unsigned ended;    /* members that no longer use the team */
  bool has_begun;
  bool cancelled;
  struct task* queue; /* tasks that may begin, by priority and then by age */
  struct task* queue_end;
  unsigned tasks;                 /* that have not completed */
  struct dependence* dependences; /* of these tasks, the newest first */
  struct work* first;             /* the oldest record */
  void** exchange;
};

/* A thread in a team. Its own, without a lock. */
struct member {
  struct team* team;
  unsigned num;
  struct task* task; /* that it executes */
  unsigned nested;   /* explicit tasks on its stack */
  struct task implicit;
  struct work* met;  /* the last construct that it has met */
  struct work* work; /* the loop that it executes */
  number first;      /* its chunk of the loop */
  number last;
  number chunks; /* that it has had of a loop with a static schedule */
  bool has_chunk;
};

/* team.c */
struct member* bobbin_posix_self(void);
struct member* bobbin_posix_locked_self(void); /* takes the lock, too */
void bobbin_posix_take_lock(void);
void bobbin_posix_release_lock(void);
void bobbin_posix_await_change(void); /* These two: the lock is held. */
void bobbin_posix_tell_change(void);
__attribute__((noreturn)) void bobbin_posix_fatal(const char* message);
void* bobbin_posix_allocate(size_t size); /* zeroed */
void bobbin_posix_take_part(struct member* member);
/* False: the region has been cancelled. */
bool bobbin_posix_barrier(struct member* member);

/* tasks.c. The lock is held; it is not while a task is executed. */
void bobbin_posix_init_implicit_task(struct member* member, const struct settings* settings);
void bobbin_posix_make_ready(struct task* task);
/* Executes a task that may begin and, if `within` is not null, is a descendant of it. False: there
 * is none. */
bool bobbin_posix_execute_one(struct member* member, const struct task* within);

/* dependences.c. The lock is held. The task waits for its siblings that have not completed and that
 * it depends on, and later siblings may wait for it. */
void bobbin_posix_add_dependences(struct task* task, const struct bobbin_omp_dependence* depend,
                                  unsigned long count);
void bobbin_posix_forget_dependences(struct task* task);

/* reductions.c: into the originals, when the taskgroup's tasks have completed. Frees them. */
void bobbin_posix_combine_reductions(struct reduction* reductions);

/* worksharing.c. The chunk of iterations that comes to one of `parts`, which take turns. chunk: 0
 * if each has one block. False: it has none. */
bool bobbin_posix_take_static(number count, number chunk, number parts, number part, number* first,
                              number* last);

/* workers.c. The lock is held. Another thread takes part in the team, as soon as that has begun.
 * False: there is no thread to be had. Between two regions of a program that has one at a time each
 * thread keeps its number. */
bool bobbin_posix_take_worker(struct member* member);

/* NOLINTEND(readability-identifier-naming) */
