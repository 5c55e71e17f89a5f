// SPDX-License-Identifier: Apache-2.0
// Frequent calls of fork() and similar functions, while other threads are anywhere in the runtime.
#include <semaphore.h>
#include <spawn.h>

#include "../common/abuse.h"

extern char** environ;

enum { kRoots = 2, kGood = 5 };

static int stop;

static int stopped(void) {
  int now;
#pragma omp atomic read
  now = stop;
  return now;
}

// So many pthreads run it until they are told to stop. Returns when all of them have begun.
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

// Tasks with a priority, with dependences, with mutual exclusion, and plain ones.
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

// The thread that forks is not known to OpenMP.
static void tasks_outside_child(void) {
  start_others(regions_of_tasks);
  for (int i = 0; i < 100; i++) {
    pid_t pid = fork_child();
    if (pid == 0) {
      region_of_tasks();
      _exit(kGood);
    }
    CHECK(reap(pid) == kGood);
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
  CHECK(reap(pid) == kGood);
}

// Threads fork in tasks while other threads of their team work on its queues.
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
    run_self(argv, env, NULL, &out);
    if (out.status != 0 || out.err[0] != '\0') dprintf(2, "%s: %s\n", policy, out.err);
    CHECK(out.status == 0);
  }
}

static void tasks_outside(void) { by_every_policy("tasks-outside-child"); }
static void tasks_inside(void) { by_every_policy("tasks-inside-child"); }

// ---- processes of every kind, from tasks of several roots ----

static int end_well(pid_t pid) { return reap(pid) == 0; }

static int start_process(int how) {
  char* const argv[] = {(char*)"/bin/true", NULL};
  pid_t pid = -1;
  switch (how % 4) {
    case 0:
      pid = fork_child();
      if (pid == 0) _exit(0);
      return end_well(pid);
    case 1:
      pid = vfork();
      if (pid == 0) {
        execv(argv[0], argv);
        _exit(1);
      }
      return end_well(pid);
    case 2:
      CHECK(posix_spawn(&pid, argv[0], NULL, NULL, argv, environ) == 0);
      return end_well(pid);
    default:
      return system("exit 0") == 0;
  }
}

static void* processes(void* begun) {
  sem_post((sem_t*)begun);
  for (int turn = 0; turn < 4; turn++) {
    int good = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int i = 0; i < 16; i++) {
#pragma omp task shared(good)
      {
        const int well = start_process(i);
#pragma omp atomic
        good += well;
      }
    }
    CHECK(good == 16);
  }
  return NULL;
}

static void of_every_kind(void) {
  start_others(processes);
  sem_t unused;
  sem_init(&unused, 0, 0);
  processes(&unused);
  end_others();
}

// ---- children of children ----

static void generation(int left) {
  all_regions();
  if (left == 0) _exit(kGood);
  int status = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp task shared(status)
  {
    pid_t pid = fork_child();
    if (pid == 0) generation(left - 1);
    status = reap(pid);
  }
  CHECK(status == kGood);
  all_regions();
  _exit(kGood);
}

static void generations(void) {
  pid_t pid = fork_child();
  if (pid == 0) generation(12);
  CHECK(reap(pid) == kGood);
}

// ---- in a handler ----

static int forked, ended_well;

static void fork_on_signal(int signal) {
  (void)signal;
  const int before = errno;
  pid_t pid = fork();
  if (pid == 0) _exit(0);
  int status;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  __atomic_fetch_add(&forked, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&ended_well, WIFEXITED(status) && WEXITSTATUS(status) == 0, __ATOMIC_RELAXED);
  errno = before;
}

// The thread that takes the signal computes in a region.
static void in_handler(void) {
  struct sigaction action = {0};
  action.sa_handler = fork_on_signal;
  sigaction(SIGUSR1, &action, NULL);
  long sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  for (int i = 0; i < 10; i++) {
    raise(SIGUSR1);
    sum++;
  }
  CHECK(sum == 40 && forked == ended_well);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"tasks-outside", tasks_outside}, {"tasks-outside-child", tasks_outside_child},
      {"tasks-inside", tasks_inside},   {"tasks-inside-child", tasks_inside_child},
      {"of-every-kind", of_every_kind}, {"generations", generations},
      {"in-handler", in_handler},       {NULL, NULL},
  };
  omp_set_max_active_levels(3);
  return run_case(cases, argc, argv);
}
