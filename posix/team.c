/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel regions, barriers, target and teams. */
#include "team.h"

#include <stdio.h>
#include <stdlib.h>

#include "environment.h"
#include "worksharing.h"

struct environment environment;

/* Null: translated programs ask native.h for everything. */
__thread struct bobbin_thread_v1* bobbin_self_v1;

static __thread struct member* current;
static pthread_once_t is_read = PTHREAD_ONCE_INIT;

void fatal(const char* message) {
  fprintf(stderr, "libbobbin-posix: %s\n", message);
  abort();
}

void* allocate(size_t size) {
  void* memory = calloc(1, size);
  if (memory == NULL) fatal("out of memory");
  return memory;
}

void init_team(struct team* team, unsigned size, const struct settings* settings) {
  *team = (struct team){.size = size, .num_teams = 1, .thread_limit = environment.thread_limit};
  pthread_mutex_init(&team->lock, NULL);
  pthread_cond_init(&team->changed, NULL);
  team->members = allocate(size * sizeof *team->members);
  team->exchange = allocate(size * sizeof *team->exchange);
  team->first = allocate(sizeof *team->first);
  for (unsigned i = 0; i < size; ++i) {
    team->members[i].team = team;
    team->members[i].num = i;
    team->members[i].met = team->first;
    init_implicit_task(&team->members[i], settings);
  }
}

void end_team(struct team* team) {
  /* Each thread of a cancelled region may have met another construct last. */
  struct work* work = team->first;
  while (work != NULL) {
    struct work* next = work->next;
    free_work(work);
    work = next;
  }
  free(team->members);
  free(team->exchange);
  pthread_cond_destroy(&team->changed);
  pthread_mutex_destroy(&team->lock);
}

struct member* self(void) {
  if (current == NULL) {
    pthread_once(&is_read, read_environment);
    struct team* team = allocate(sizeof *team);
    init_team(team, 1, &environment.settings);
    current = team->members;
  }
  return current;
}

void set_self(struct member* member) { current = member; }

void changed(struct team* team) { pthread_cond_broadcast(&team->changed); }

bool barrier(struct member* member, bool is_last) {
  struct team* team = member->team;
  pthread_mutex_lock(&team->lock);
  const number generation = team->generation[is_last];
  ++team->arrived[is_last];
  bool is_left = false;
  while (team->generation[is_last] == generation) {
    if (team->cancelled && !is_last) {
      --team->arrived[is_last];
      is_left = true;
      break;
    }
    if (team->arrived[is_last] == team->size && team->tasks == 0) {
      team->arrived[is_last] = 0;
      ++team->generation[is_last];
      changed(team);
    } else if (!execute_one(member, NULL)) {
      pthread_cond_wait(&team->changed, &team->lock);
    }
  }
  pthread_mutex_unlock(&team->lock);
  return !is_left;
}

void bobbin_omp_barrier(int kind) {
  (void)kind;
  barrier(self(), false);
}

int bobbin_omp_cancellable_barrier(int kind) {
  (void)kind;
  struct member* member = self();
  if (!barrier(member, false)) return 1;
  pthread_mutex_lock(&member->team->lock);
  const int is_cancelled = member->team->cancelled;
  pthread_mutex_unlock(&member->team->lock);
  return is_cancelled;
}

static unsigned size_of_team(const struct member* master, unsigned wanted) {
  const struct team* team = master->team;
  const struct settings* settings = &master->task->settings;
  unsigned size = wanted != 0 ? wanted : settings->threads[0];
  if (team->active_level >= settings->max_active_levels) size = 1;
  return size > team->thread_limit ? team->thread_limit : size;
}

/* The members of a team are its master's array, and what they execute stands in the first one's
 * task. */
static void take_part(struct member* member) {
  struct member* before = current;
  current = member;
  member->team->members[0].implicit.function(member->team->members[0].implicit.data);
  barrier(member, true);
  current = before;
}

/* Threads are not bound, and tasks have one schedule. */
void bobbin_omp_parallel_with(function_type* function, void* data,
                              const struct bobbin_omp_parallel_clauses* clauses) {
  const unsigned threads = clauses->threads;
  struct member* master = self();
  unsigned size = size_of_team(master, threads);
  struct worker** workers = allocate(size * sizeof *workers);
  for (unsigned i = 1; i < size; ++i) {
    workers[i] = take_worker();
    if (workers[i] == NULL) size = i;
  }
  if (clauses->is_strict && size < threads) {
    fprintf(stderr, "libbobbin-posix: %s\n",
            clauses->message != NULL ? clauses->message
                                     : "fewer threads than num_threads(strict) asks for");
    if (!clauses->only_warns) exit(EXIT_FAILURE);
  }
  struct settings settings = master->task->settings;
  if (settings.threads[1] != 0) {
    for (unsigned i = 1; i < kMaxLevels; ++i) settings.threads[i - 1] = settings.threads[i];
    settings.threads[kMaxLevels - 1] = 0;
  }
  struct team* team = allocate(sizeof *team);
  init_team(team, size, &settings);
  team->master = master;
  team->level = master->team->level + 1;
  team->active_level = master->team->active_level + (size > 1 ? 1 : 0);
  team->team_num = master->team->team_num;
  team->num_teams = master->team->num_teams;
  team->thread_limit = master->team->thread_limit;
  team->members[0].implicit.function = function;
  team->members[0].implicit.data = data;
  for (unsigned i = 1; i < size; ++i) start_worker(workers[i], take_part, &team->members[i]);
  take_part(&team->members[0]);
  pthread_mutex_lock(&team->lock);
  while (team->ended != size - 1) pthread_cond_wait(&team->changed, &team->lock);
  pthread_mutex_unlock(&team->lock);
  end_team(team);
  free(team);
  free(workers);
}

void bobbin_omp_parallel(function_type* function, void* data, unsigned threads, unsigned bind) {
  const struct bobbin_omp_parallel_clauses clauses = {.threads = threads, .bind = bind};
  bobbin_omp_parallel_with(function, data, &clauses);
}

void run_as_initial_task(function_type* function, void* data, unsigned team_num, unsigned num_teams,
                         unsigned thread_limit) {
  struct member* before = self();
  struct team* team = allocate(sizeof *team);
  init_team(team, 1, &environment.settings);
  team->team_num = team_num;
  team->num_teams = num_teams;
  if (thread_limit != 0) team->thread_limit = thread_limit;
  current = team->members;
  function(data);
  barrier(current, true);
  current = before;
  end_team(team);
  free(team);
}

void bobbin_omp_error(int is_fatal, const char* file, unsigned line, unsigned column,
                      const char* message) {
  fprintf(stderr, "libbobbin-posix: %s%s:%u:%u: error directive encountered%s%s\n",
          is_fatal ? "fatal error: " : "", file, line, column, message != NULL ? ": " : "",
          message != NULL ? message : "");
  if (is_fatal) exit(EXIT_FAILURE);
}

static void check_device(int device) {
  const int is_host = device == bobbin_omp_host_by_if || device == bobbin_omp_initial_device;
  if (environment.offload_is_mandatory && !is_host) {
    fatal("OMP_TARGET_OFFLOAD=mandatory, and the host is the only device");
  }
}

void bobbin_omp_target(function_type* function, void* data, int device, int thread_limit) {
  self();
  check_device(device);
  run_as_initial_task(function, data, 0, 1, thread_limit > 0 ? (unsigned)thread_limit : 0);
}

void bobbin_omp_target_data(int device) {
  self();
  check_device(device);
}

void bobbin_omp_teams(function_type* function, void* data, int teams, int thread_limit) {
  self();
  unsigned number_of_teams = teams > 0 ? (unsigned)teams : environment.teams;
  if (number_of_teams == 0) number_of_teams = 1;
  const unsigned limit = thread_limit > 0 ? (unsigned)thread_limit : environment.teams_thread_limit;
  for (unsigned i = 0; i < number_of_teams; ++i) {
    run_as_initial_task(function, data, i, number_of_teams, limit);
  }
}
