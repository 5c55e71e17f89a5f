// SPDX-License-Identifier: Apache-2.0
// fork() within a region: of all threads the child has the one that forked. The others neither
// begin nor go on there.
#include <semaphore.h>
#include <sys/mman.h>

#include "../common/abuse.h"

enum { kThreads = 12, kGoesOn = 5, kStray = 9 };

static pid_t original;
static int* strays;  // threads that were seen in a child and had not forked; shared with children

// Any thread but the one that forks calls this now and then.
static void stay_in_parent(void) {
  if (getpid() == original) return;
  __atomic_fetch_add(strays, 1, __ATOMIC_RELAXED);
  _exit(kStray);
}

static void use_openmp(void) {
  for (int i = 0; i < 3; i++) {
    nested_region(3, 2);
    task_region(3);
    loop_region(4);
  }
}

static void child_uses_openmp(void) {
  pid_t pid = fork_child();
  if (pid == 0) {
    use_openmp();
    _exit(kGoesOn);
  }
  CHECK(reap(pid, 10) == kGoesOn);
}

// Those that have not begun.
static void unbegun(void) {
  for (int turn = 0; turn < 20; turn++) {
#pragma omp parallel num_threads(kThreads)
    {
      if (omp_get_thread_num() == 0) {
        child_uses_openmp();
      } else {
        stay_in_parent();
      }
    }
  }
  CHECK(*strays == 0);
}

// Those that are ready to go on, or wait and are told.
static void take_turns_at_forking(int threads) {
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num();
    for (int who = 0; who < threads; who++) {
      if (who == me) {
        child_uses_openmp();
      } else if (me % 2 != 0) {
        for (int i = 0; i < 20; i++) {
          sched_yield();
          stay_in_parent();
        }
      }
      if (who % 3 == 0) {
#pragma omp barrier
        stay_in_parent();
      }
    }
  }
}

static void suspended(void) {
  for (int turn = 0; turn < 4; turn++) take_turns_at_forking(kThreads);
  CHECK(*strays == 0);
}

static int stop;

static void* pass_barriers(void* started) {
#pragma omp parallel num_threads(kThreads)
  {
    int stopped = 0;
    if (omp_get_thread_num() == 0) sem_post((sem_t*)started);
    while (!stopped) {
      sched_yield();
      stay_in_parent();
#pragma omp single copyprivate(stopped)
      {
#pragma omp atomic read
        stopped = stop;
      }
      stay_in_parent();
    }
  }
  return NULL;
}

static void of_other_roots_child(void) {
  pthread_t other;
  sem_t started;
  sem_init(&started, 0, 0);
  CHECK(pthread_create(&other, NULL, pass_barriers, &started) == 0);
  sem_wait(&started);
  for (int turn = 0; turn < 10; turn++) {
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 3; i++) {
      child_uses_openmp();
#pragma omp barrier
    }
  }
#pragma omp atomic write
  stop = 1;
  pthread_join(other, NULL);
  CHECK(*strays == 0);
}

// Helpers carry threads of several roots, and have some of each at hand.
static void of_other_roots(void) {
  char* argv[] = {(char*)"of-other-roots-child", NULL};
  const char* env[] = {"BOBBIN_WORKERS=4", NULL};
  struct outcome out;
  run_self(argv, env, 40, NULL, &out);
  if (out.status != 0) dprintf(2, "%s\n", out.err);
  CHECK(out.status == 0);
}

// A region of one thread has nobody to miss.
static void in_region_of_one(void) {
  region(6);
  for (int turn = 0; turn < 3; turn++) {
    pid_t pid = -1;
    int made = 0;
#pragma omp parallel num_threads(1)
    {
      pid = fork_child();
#pragma omp task shared(made)
      made = 1;
#pragma omp barrier
    }
    CHECK(made == 1);
    if (pid == 0) {
      region(6);
      use_openmp();
      exit(kGoesOn);
    }
    CHECK(reap(pid, 10) == kGoesOn);
  }
  region(6);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"unbegun", unbegun},
      {"suspended", suspended},
      {"of-other-roots", of_other_roots},
      {"of-other-roots-child", of_other_roots_child},
      {"in-region-of-one", in_region_of_one},
      {NULL, NULL},
  };
  original = getpid();
  void* shared = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  strays = (int*)shared;
  omp_set_max_active_levels(4);
  return run_case(cases, argc, argv);
}
