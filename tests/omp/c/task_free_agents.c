// SPDX-License-Identifier: Apache-2.0
// Free agents: OMP_THREADS_RESERVE="structured(1),free_agent(2)". They execute tasks with
// threadset(omp_pool) of all teams, also while all threads of the team do something else.
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "check.h"

// Of OpenMP 5.2 and 6.0, which omp.h of gcc 12 does not know.
int omp_in_explicit_task(void);
int omp_is_free_agent(void);
int omp_ancestor_is_free_agent(int level);

enum { kUnassignedThread = -2, kAgents = 2 };

// No scheduling point: only another thread can make the flag true.
static void wait_for(const atomic_int* flag, int value) {
  while (atomic_load(flag) != value) {
  }
}

static void team_of_one(void) {
  atomic_int done = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp task threadset(omp_pool) shared(done)
    atomic_fetch_add(&done, omp_is_free_agent());
    wait_for(&done, 1);
  }
  CHECK_EQ(atomic_load(&done), 1);
}

static void outside_of_regions(void) {
  atomic_int done = 0;
#pragma omp task threadset(omp_pool) shared(done)
  atomic_fetch_add(&done, omp_is_free_agent());
  wait_for(&done, 1);
#pragma omp taskwait
  CHECK_EQ(atomic_load(&done), 1);
}

// All threads of the team wait, and more agents work than one.
static void busy_team(void) {
  const int threads = omp_get_max_threads();
  atomic_int begun = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp masked
    for (int i = 0; i < kAgents; i++) {
#pragma omp task threadset(omp_pool) shared(begun)
      {
        atomic_fetch_add(&begun, 1);
        wait_for(&begun, kAgents);
        CHECK_EQ(omp_is_free_agent(), 1);
      }
    }
    wait_for(&begun, kAgents);
  }
}

static void api(void) {
  const int threads = omp_get_max_threads();
  atomic_int done = 0;
#pragma omp parallel num_threads(threads)
  {
    CHECK_EQ(omp_is_free_agent(), 0);
    CHECK_EQ(omp_ancestor_is_free_agent(1), 0);
#pragma omp single nowait
    {
      omp_set_schedule(omp_sched_dynamic, 17);
#pragma omp task threadset(omp_pool) shared(done)
      {
        CHECK_EQ(omp_is_free_agent(), 1);
        CHECK_EQ(omp_get_thread_num(), kUnassignedThread);
        CHECK_EQ(omp_get_num_threads(), threads);
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_active_level(), threads > 1);
        CHECK_EQ(omp_in_parallel(), threads > 1);
        CHECK_EQ(omp_get_team_size(1), threads);
        CHECK_EQ(omp_get_ancestor_thread_num(1), kUnassignedThread);
        CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
        CHECK_EQ(omp_ancestor_is_free_agent(1), 1);
        CHECK_EQ(omp_ancestor_is_free_agent(0), 0);
        CHECK_EQ(omp_ancestor_is_free_agent(2), 0);
        CHECK_EQ(omp_ancestor_is_free_agent(-1), 0);
        CHECK_EQ(omp_in_explicit_task(), 1);
        CHECK_EQ(omp_get_max_threads(), threads);
        omp_sched_t kind;
        int chunk;
        omp_get_schedule(&kind, &chunk);
        CHECK_EQ(kind, omp_sched_dynamic);
        CHECK_EQ(chunk, 17);
        atomic_store(&done, 1);
      }
    }
    wait_for(&done, 1);
  }
}

// A region in a task of an agent: the agent is a thread of that team like others.
static void nested_region(void) {
  const int threads = omp_get_max_threads();
  atomic_int done = 0;
  int seen = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(1)
  {
#pragma omp task threadset(omp_pool) shared(done, seen)
    {
#pragma omp parallel num_threads(threads) reduction(+ : seen)
      {
        CHECK_EQ(omp_get_level(), 2);
        CHECK_EQ(omp_is_free_agent(), 0);
        CHECK_EQ(omp_ancestor_is_free_agent(1), 1);
        CHECK_EQ(omp_get_ancestor_thread_num(1), kUnassignedThread);
        CHECK_EQ(omp_get_num_threads(), threads);
        seen++;
      }
      CHECK_EQ(omp_get_thread_num(), kUnassignedThread);
      // Tasks of that team are for its threads and for the other agent.
#pragma omp parallel num_threads(threads) shared(seen)
      {
#pragma omp task threadset(omp_pool) shared(seen)
        {
#pragma omp atomic
          seen++;
        }
      }
      atomic_store(&done, 1);
    }
    wait_for(&done, 1);
  }
  CHECK_EQ(seen, 2 * threads);
  omp_set_max_active_levels(1);
}

// An agent does not execute what is for the team, except where the task may not be deferred.
static void tasks_of_agents(void) {
  const int threads = omp_get_max_threads();
  atomic_int elsewhere = 0;
  atomic_int undeferred = 0;
  atomic_int begun = 0;
  atomic_int done = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp single nowait
    {
#pragma omp task threadset(omp_pool) shared(elsewhere, undeferred, done, begun)
      {
        CHECK_EQ(omp_is_free_agent(), 1);
        atomic_store(&begun, 1);
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(elsewhere)
          {
            CHECK_EQ(omp_is_free_agent(), 0);
            atomic_fetch_add(&elsewhere, 1);
          }
#pragma omp task depend(inout : elsewhere) shared(elsewhere)
          {
            CHECK_EQ(omp_is_free_agent(), 0);
            atomic_fetch_add(&elsewhere, 1);
          }
        }
#pragma omp task if (0) shared(undeferred)
        atomic_fetch_add(&undeferred, omp_is_free_agent());
#pragma omp taskloop num_tasks(10) shared(elsewhere)
        for (int i = 0; i < 20; i++) {
          CHECK_EQ(omp_is_free_agent(), 0);
          atomic_fetch_add(&elsewhere, 1);
        }
#pragma omp taskwait
        CHECK_EQ(atomic_load(&elsewhere), 220);
        atomic_store(&done, 1);
      }
    }
    wait_for(&begun, 1);  // an agent has it
  }
  CHECK_EQ(atomic_load(&done), 1);
  CHECK_EQ(atomic_load(&undeferred), 1);
}

static int fib(int n) {
  int a;
  int b;
  if (n < 2) return n;
#pragma omp task threadset(omp_pool) shared(a)
  a = fib(n - 1);
#pragma omp task threadset(omp_pool) shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

// Agents and threads of the team steal from each other; agents make tasks and wait for them.
static void recursion(void) {
  int value = 0;
#pragma omp parallel num_threads(omp_get_max_threads())
#pragma omp single
  value = fib(16);
  CHECK_EQ(value, 987);
  CHECK_EQ(fib(13), 233);  // outside of regions
}

// An agent completes what makes tasks of the team ready, and the other way round.
static void dependences(void) {
  enum { kSteps = 200 };
  long value = 1;
#pragma omp parallel num_threads(omp_get_max_threads())
#pragma omp single
  for (int i = 0; i < kSteps; i++) {
    if (i % 2 == 0) {
#pragma omp task threadset(omp_pool) depend(inout : value) shared(value)
      value = (value * 3 + i) % 1000003;
    } else {
#pragma omp task depend(inout : value) shared(value)
      {
        CHECK_EQ(omp_is_free_agent(), 0);
        value = (value * 3 + i) % 1000003;
      }
    }
  }
  long expected = 1;
  for (int i = 0; i < kSteps; i++) expected = (expected * 3 + i) % 1000003;
  CHECK_EQ(value, expected);
}

static void reductions(void) {
  const int threads = omp_get_max_threads();
  long sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    {
      atomic_int begun = 0;
      for (int i = 1; i <= 1000; i++) {
#pragma omp task threadset(omp_pool) in_reduction(+ : sum) shared(begun)
        {
          sum += i;
          atomic_fetch_add(&begun, omp_is_free_agent());
        }
      }
    }
  }
  CHECK_EQ(sum, 500500);
  sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop threadset(omp_pool) grainsize(1) reduction(+ : sum)
  for (int i = 1; i <= 1000; i++) sum += i;
  CHECK_EQ(sum, 500500);
}

static void taskloops(void) {
  int hits[500] = {0};
  int agents = 0;
#pragma omp parallel num_threads(1)
  {
    atomic_int by_agents = 0;
#pragma omp taskloop threadset(omp_pool) grainsize(strict : 1) shared(hits, by_agents) nogroup
    for (int i = 0; i < 500; i++) {
      hits[i]++;
      atomic_fetch_add(&by_agents, omp_is_free_agent());
    }
    while (atomic_load(&by_agents) == 0) {
    }
#pragma omp taskwait
    agents = atomic_load(&by_agents);
  }
  for (int i = 0; i < 500; i++) CHECK_EQ(hits[i], 1);
  CHECK(agents > 0);
}

// The last task of a region may be an agent's while all threads of the team wait.
static void barriers(void) {
  const int threads = omp_get_max_threads();
  atomic_int count = 0;
#pragma omp parallel num_threads(threads)
  for (int round = 1; round <= 50; round++) {
#pragma omp task threadset(omp_pool) shared(count)
    {
      for (volatile int i = 0; i < 2000; i++) {
      }
      atomic_fetch_add(&count, 1);
    }
#pragma omp barrier
    CHECK_EQ(atomic_load(&count), round * threads);
#pragma omp barrier
  }
  for (int round = 1; round <= 50; round++) {
#pragma omp parallel num_threads(threads)
    {
#pragma omp task threadset(omp_pool) shared(count)
      atomic_fetch_add(&count, 1);
    }
    CHECK_EQ(atomic_load(&count), (50 + round) * threads);
  }
}

static void cancellation(void) {
  if (!omp_get_cancellation()) return;
  atomic_int executed = 0;
#pragma omp parallel num_threads(omp_get_max_threads())
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 1000; i++) {
#pragma omp task threadset(omp_pool) shared(executed)
    {
      if (atomic_fetch_add(&executed, 1) == 3) {
#pragma omp cancel taskgroup
      }
#pragma omp cancellation point taskgroup
    }
  }
  CHECK(atomic_load(&executed) >= 4);
}

static int copy;
#pragma omp threadprivate(copy)

static void threadprivate_copies(void) {
  atomic_int done = 0;
  copy = 1;
#pragma omp parallel num_threads(1)
  {
#pragma omp task threadset(omp_pool) shared(done)
    {
      copy = 2;
      atomic_store(&done, 1);
    }
    wait_for(&done, 1);
    CHECK_EQ(copy, 1);
  }
}

static atomic_int finished;

static void* other_root(void* unused) {
  (void)unused;
#pragma omp parallel num_threads(1)
  {
#pragma omp task threadset(omp_pool)
    atomic_fetch_add(&finished, omp_is_free_agent());
  }
  for (int i = 0; i < 20; i++) {
    // Executed when the thread ends, at the latest.
#pragma omp task threadset(omp_pool)
    atomic_fetch_add(&finished, 1);
  }
  return NULL;
}

static void threads_of_the_program(void) {
  for (int round = 0; round < 5; round++) {
    pthread_t thread;
    atomic_store(&finished, 0);
    CHECK_EQ(pthread_create(&thread, NULL, other_root, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK(atomic_load(&finished) >= 20);
  }
}

// The child of a fork starts agents of its own.
static void child_process(void) {
#ifdef __SANITIZE_THREAD__
  return;  // ThreadSanitizer ends a child that starts threads
#endif
  const pid_t child = fork();
  if (child == 0) {
    team_of_one();
    outside_of_regions();
    recursion();
    _exit(check_end());
  }
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}

int main(void) {
  CHECK_BEGIN();
  RUN(team_of_one);
  RUN(outside_of_regions);
  RUN(busy_team);
  RUN(api);
  RUN(nested_region);
  RUN(tasks_of_agents);
  RUN(recursion);
  RUN(dependences);
  RUN(reductions);
  RUN(taskloops);
  RUN(barriers);
  RUN(cancellation);
  RUN(threadprivate_copies);
  RUN(threads_of_the_program);
  RUN(child_process);
  return check_end();
}
