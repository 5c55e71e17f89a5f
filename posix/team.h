/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bobbin/native.h on POSIX threads alone, for translated programs that run without Bobbin. It is
 * meant to be obviously right, and is not fast: a team has one lock and one condition variable, and
 * whoever changes something that others wait for wakes all of them.
 *
 * Everything in a team, its tasks and its constructs is guarded by the team's lock, except what
 * says otherwise. No thread holds two teams' locks.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "bobbin/native.h"

/* C, whose names are like this. NOLINTBEGIN(readability-identifier-naming) */

typedef unsigned long long number;
typedef void function_type(void* data);

enum { kMaxLevels = 16 };

enum { kAuto = 4 }; /* beside the schedules of native.h; it is the static one */

/* What a task inherits from its parent. */
struct settings {
  unsigned threads[kMaxLevels]; /* by level; 0 ends the list */
  int dynamic;
  unsigned max_active_levels;
  unsigned schedule;
  number chunk;
};

/* What the program began with. Constant after the first call of self(). */
struct environment {
  struct settings settings;
  unsigned thread_limit;
  unsigned teams;
  unsigned teams_thread_limit;
  int cancellation;
  int offload_is_mandatory;
  int max_task_priority;
  int default_device;
  size_t stack_size;
};
extern struct environment environment;

struct group {
  struct group* around;
  unsigned tasks; /* that have not completed */
  bool cancelled;
  struct reductions* reductions; /* by its tasks; may be null */
};

struct reductions; /* tasks.h */
struct dependence;
struct edge;

struct task {
  struct task* parent;
  struct team* team;
  struct group* group; /* the innermost one that it is in, or has opened */
  struct group* created_in;
  struct task* next; /* in the team's queue */
  function_type* function;
  void* data;
  void* copy;               /* of the data; freed with the task */
  struct settings settings; /* the thread's own that executes the task; no lock */
  unsigned depth;           /* of its ancestors; 0: an implicit task */
  unsigned references;      /* its own, until it has completed, and one of each child */
  unsigned children;        /* that have not completed */
  unsigned predecessors;    /* that have not completed */
  struct edge* successors;
  struct dependence* dependences; /* of its children that have not completed, until it has */
  unsigned id;
  int priority;
  bool is_final;
  bool is_deferred; /* its creator does not wait for it */
  bool has_event;
  bool is_fulfilled;
  bool has_run;
  bool is_complete;
  bool is_orphan; /* `parent` is not its parent, which has completed, but an ancestor */
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
  unsigned loops;
  struct doacross* chunks;
};

struct team {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned size;
  unsigned level;
  unsigned active_level;
  unsigned team_num;
  unsigned num_teams;
  unsigned thread_limit;
  struct member* master; /* that has forked it; null: an initial team */
  struct member* members;
  /* Of the region's barriers, and of its last one, which threads reach that leave a barrier of a
   * cancelled region. */
  unsigned arrived[2];
  number generation[2];
  unsigned ended; /* members that no longer use the team */
  bool cancelled;
  struct task* queue; /* tasks that may begin, by priority and then by age */
  struct task* last;  /* of the queue */
  unsigned tasks;     /* that have not completed */
  struct work* first; /* the oldest record */
  void* copyprivate;
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
  bool is_first_chunk; /* it has none yet */
  bool has_chunk;
  struct doacross* doacross;
};

struct member* self(void);
void set_self(struct member* member);
__attribute__((noreturn)) void fatal(const char* message);
void* allocate(size_t size); /* zeroed */

void init_team(struct team* team, unsigned size, const struct settings* settings);
void end_team(struct team* team);
/* False: the region has been cancelled, and not all threads have come. */
bool barrier(struct member* member, bool is_last);
/* The lock is held: tells all who wait in the team. */
void changed(struct team* team);
void run_as_initial_task(function_type* function, void* data, unsigned team_num, unsigned num_teams,
                         unsigned thread_limit);

/* tasks.c. The lock is held; it is not while a task is executed. */
void init_implicit_task(struct member* member, const struct settings* settings);
/* Executes a task that may begin and, if `within` is not null, is a descendant of it. False: there
 * is none. */
bool execute_one(struct member* member, const struct task* within);
void fulfill(struct task* task);

/* workers.c: a thread calls `work(member)`. False: there is no thread to be had. Between two
 * regions of a program that has one at a time each worker keeps its number. */
struct worker;
struct worker* take_worker(void);
void start_worker(struct worker* worker, void (*work)(struct member*), struct member* member);

/* NOLINTEND(readability-identifier-naming) */
