/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel regions, barriers, target and teams. */
#include "team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Null: translated programs ask native.h for everything. */
__thread struct bobbin_thread_v1* bobbin_self_v1;

static __thread struct member* current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

void bobbin_posix_fatal(const char* message) {
  fprintf(stderr, "libbobbin-posix: %s\n", message);
  abort();
}

void* bobbin_posix_allocate(size_t size) {
  void* memory = calloc(1, size);
  if (memory == NULL) bobbin_posix_fatal("out of memory");
  return memory;
}

/* The other fields are set. The members are the array of their master, the first one, and what they
 * execute stands in its task. */
static void begin_team(struct team* team, const struct settings* settings, function_type* function,
                       void* data) {
  team->members = bobbin_posix_allocate(team->size * sizeof *team->members);
  team->exchange = bobbin_posix_allocate(team->size * sizeof *team->exchange);
  team->first = bobbin_posix_allocate(sizeof *team->first);
  for (unsigned i = 0; i < team->size; ++i) {
    team->members[i].team = team;
    team->members[i].num = i;
    team->members[i].met = team->first;
    bobbin_posix_init_implicit_task(&team->members[i], settings);
  }
  team->members->implicit.function = function;
  team->members->implicit.data = data;
}

/* The thread is its master. */
static void run_team(struct team* team) {
  bobbin_posix_take_part(team->members);
  bobbin_posix_take_lock();
  while (team->ended != team->size - 1) bobbin_posix_await_change();
  bobbin_posix_release_lock();
  /* Each thread of a cancelled region may have met another construct last. */
  while (team->first != NULL) {
    struct work* work = team->first;
    team->first = work->next;
    free(work);
  }
  free(team->members);
  free(team->exchange);
}

struct member* bobbin_posix_self(void) {
  if (current == NULL) {
    struct team* team = bobbin_posix_allocate(sizeof *team);
    *team = (struct team){
        .size = 1, .num_teams = 1, .thread_limit = bobbin_posix_environment.thread_limit};
    begin_team(team, &bobbin_posix_environment.settings, NULL, NULL);
    current = team->members;
  }
  return current;
}

struct member* bobbin_posix_locked_self(void) {
  struct member* member = bobbin_posix_self();
  bobbin_posix_take_lock();
  return member;
}

void bobbin_posix_take_lock(void) { pthread_mutex_lock(&lock); }
void bobbin_posix_release_lock(void) { pthread_mutex_unlock(&lock); }
void bobbin_posix_await_change(void) { pthread_cond_wait(&change, &lock); }
void bobbin_posix_tell_change(void) { pthread_cond_broadcast(&change); }

bool bobbin_posix_barrier(struct member* member) {
  struct team* team = member->team;
  bobbin_posix_take_lock();
  const number generation = team->generation;
  ++team->arrived;
  while (team->generation == generation && !team->cancelled) {
    if (team->arrived == team->size && team->tasks == 0) {
      team->arrived = 0;
      ++team->generation;
      bobbin_posix_tell_change();
    } else if (!bobbin_posix_execute_one(member, NULL)) {
      bobbin_posix_await_change();
    }
  }
  const bool is_cancelled = team->cancelled;
  bobbin_posix_release_lock();
  return !is_cancelled;
}

int bobbin_omp_cancellable_barrier(int kind) { return !bobbin_posix_barrier(bobbin_posix_self()); }
void bobbin_omp_barrier(int kind) { bobbin_omp_cancellable_barrier(kind); }

void bobbin_posix_take_part(struct member* member) {
  struct team* team = member->team;
  struct member* before = current;
  current = member;
  team->members->implicit.function(team->members->implicit.data);
  bobbin_posix_take_lock();
  ++team->finished;
  bobbin_posix_tell_change();
  while (team->finished != team->size || team->tasks != 0) {
    if (!bobbin_posix_execute_one(member, NULL)) bobbin_posix_await_change();
  }
  bobbin_posix_release_lock();
  current = before;
}

/* Threads are not bound, and tasks have one schedule. */
void bobbin_omp_parallel_with(function_type* function, void* data,
                              const struct bobbin_omp_parallel_clauses* clauses) {
  const unsigned threads = clauses->threads;
  struct member* master = bobbin_posix_self();
  const struct team* around = master->team;
  struct settings settings = master->task->settings;
  unsigned size = threads != 0 ? threads : settings.threads[0];
  if (around->active_level >= settings.max_active_levels) size = 1;
  if (size > around->thread_limit) size = around->thread_limit;
  if (settings.threads[1] != 0) {
    memmove(settings.threads, settings.threads + 1, (kMaxLevels - 1) * sizeof *settings.threads);
  }
  struct team team = {.size = size,
                      .level = around->level + 1,
                      .active_level = around->active_level,
                      .team_num = around->team_num,
                      .num_teams = around->num_teams,
                      .thread_limit = around->thread_limit,
                      .master = master};
  begin_team(&team, &settings, function, data);
  bobbin_posix_take_lock();
  for (unsigned i = 1; i < team.size; ++i) {
    if (!bobbin_posix_take_worker(&team.members[i])) team.size = i;
  }
  bobbin_posix_release_lock();
  if (clauses->is_strict && team.size < threads) {
    fprintf(stderr, "libbobbin-posix: %s\n",
            clauses->message != NULL ? clauses->message
                                     : "fewer threads than num_threads(strict) asks for");
    if (!clauses->only_warns) exit(EXIT_FAILURE);
  }
  bobbin_posix_take_lock();
  team.active_level += team.size > 1;
  team.has_begun = true;
  bobbin_posix_tell_change();
  bobbin_posix_release_lock();
  run_team(&team);
}

void bobbin_omp_parallel(function_type* function, void* data, unsigned threads, unsigned bind) {
  const struct bobbin_omp_parallel_clauses clauses = {.threads = threads, .bind = bind};
  bobbin_omp_parallel_with(function, data, &clauses);
}

static void run_as_initial_task(function_type* function, void* data, unsigned team_num,
                                unsigned num_teams, unsigned thread_limit) {
  struct team team = {
      .size = 1, .team_num = team_num, .num_teams = num_teams, .thread_limit = thread_limit};
  begin_team(&team, &bobbin_posix_environment.settings, function, data);
  run_team(&team);
}

void bobbin_omp_error(int is_fatal, const char* file, unsigned line, unsigned column,
                      const char* message) {
  fprintf(stderr, "libbobbin-posix: %s%s:%u:%u: error directive encountered%s%s\n",
          is_fatal ? "fatal error: " : "", file, line, column, message != NULL ? ": " : "",
          message != NULL ? message : "");
  if (is_fatal) exit(EXIT_FAILURE);
}

void bobbin_omp_target_data(int device) {
  const int is_host = device == bobbin_omp_host_by_if || device == bobbin_omp_initial_device;
  if (bobbin_posix_environment.offload_is_mandatory && !is_host) {
    bobbin_posix_fatal("OMP_TARGET_OFFLOAD=mandatory, and the host is the only device");
  }
}

void bobbin_omp_target(function_type* function, void* data, int device, int thread_limit) {
  bobbin_omp_target_data(device);
  run_as_initial_task(
      function, data, 0, 1,
      thread_limit > 0 ? (unsigned)thread_limit : bobbin_posix_environment.thread_limit);
}

void bobbin_omp_teams(function_type* function, void* data, int teams, int thread_limit) {
  if (teams <= 0) teams = bobbin_posix_environment.teams > 0 ? bobbin_posix_environment.teams : 1;
  if (thread_limit <= 0) thread_limit = bobbin_posix_environment.teams_thread_limit;
  /* That of a target region around holds here, too. */
  const unsigned limit =
      thread_limit > 0 ? (unsigned)thread_limit : bobbin_posix_self()->team->thread_limit;
  for (int i = 0; i < teams; ++i) {
    run_as_initial_task(function, data, (unsigned)i, (unsigned)teams, limit);
  }
}
