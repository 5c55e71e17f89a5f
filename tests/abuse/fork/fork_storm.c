// SPDX-License-Identifier: Apache-2.0
// fork() at a high rate, while other threads are anywhere in the runtime.
#include <semaphore.h>

#include "../common/abuse.h"

enum { kRoots = 2, kGood = 5 };

static int stop;

static int stopped(void) {
  int now;
#pragma omp atomic read
  now = stop;
  return now;
}

// So many pthreads do it until they are told to stop. Returns when each has begun.
static pthread_t others[kRoots];

static void start_others(void* (*work)(void*)) {
  sem_t begun;
  sem_init(&begun, 0, 0);
  for (int i = 0; i < kRoots; i++) CHECK(pthread_create(&others[i], NULL, work, &begun) == 0);
  for (int i = 0; i < kRoots; i++) sem_wait(&begun);
}

static void end_others(void) {
#pragma omp atomic write
  stop = 1;
  for (int i = 0; i < kRoots; i++) pthread_join(others[i], NULL);
}

// ---- tasks of every kind ----

// Some of a priority, some with dependences, some that exclude each other, some plain.
static long mixed_tasks(int count) {
  long sum = 0, first = 0, second = 0;
  for (int i = 0; i < count; i++) {
#pragma omp task shared(sum) priority(i % 3) untied
#pragma omp atomic
    sum++;
#pragma omp task shared(first) depend(inout : first)
    first++;
#pragma omp task shared(second) depend(mutexinoutset : second)
    second++;
#pragma omp task shared(sum) untied
    {
#pragma omp task shared(sum) untied
#pragma omp atomic
      sum++;
#pragma omp taskwait
    }
  }
#pragma omp taskwait
  return sum + first + second;
}

static void check_mixed_tasks(int count) { CHECK(mixed_tasks(count) == 4 * count); }

static void region_of_tasks(void) {
#pragma omp parallel num_threads(4)
  {
    check_mixed_tasks(20);
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task untied
      check_mixed_tasks(3);
    }
  }
}

static void* regions_of_tasks(void* begun) {
  sem_post((sem_t*)begun);
  while (!stopped()) region_of_tasks();
  return NULL;
}

// A thread that OpenMP knows nothing of forks.
static void tasks_outside_child(void) {
  start_others(regions_of_tasks);
  for (int i = 0; i < 100; i++) {
    pid_t pid = fork_child();
    if (pid == 0) {
      region_of_tasks();
      _exit(kGood);
    }
    CHECK(reap(pid, 10) == kGood);
  }
  end_others();
}

static void fork_in_task(void) {
  pid_t pid = fork_child();
  if (pid == 0) {
    check_mixed_tasks(20);
    region_of_tasks();
    check_mixed_tasks(20);
    _exit(kGood);
  }
  CHECK(reap(pid, 10) == kGood);
}

// Threads fork in tasks while others of their team are in its queues.
static void tasks_inside_child(void) {
  for (int turn = 0; turn < 10; turn++) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single nowait
      for (int i = 0; i < 8; i++) {
#pragma omp task untied
        fork_in_task();
      }
      check_mixed_tasks(50);
#pragma omp barrier
      check_mixed_tasks(50);
    }
  }
}

static void by_every_policy(const char* name) {
  const char* const policies[] = {"queue=deque", "queue=locked", "queue=combining", "queue=data",
                                  "creation=continuation"};
  for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++) {
    char* argv[] = {(char*)name, NULL};
    char policy[64];
    snprintf(policy, sizeof policy, "BOBBIN_TASK_POLICY=%s", policies[i]);
    const char* env[] = {policy, "BOBBIN_WORKERS=3", NULL};
    struct outcome out;
    run_self(argv, env, 40, NULL, &out);
    if (out.status != 0 || out.err[0] != '\0') dprintf(2, "%s: %s\n", policy, out.err);
    CHECK(out.status == 0);
  }
}

static void tasks_outside(void) { by_every_policy("tasks-outside-child"); }
static void tasks_inside(void) { by_every_policy("tasks-inside-child"); }

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"tasks-outside", tasks_outside},
      {"tasks-outside-child", tasks_outside_child},
      {"tasks-inside", tasks_inside},
      {"tasks-inside-child", tasks_inside_child},
      {NULL, NULL},
  };
  omp_set_max_active_levels(3);
  return run_case(cases, argc, argv);
}
