// SPDX-License-Identifier: Apache-2.0
// Uses of locks that the specification does not cover: in memory that processes share, and without
// initialisation.
#include <omp.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/abuse.h"

enum { kThreads = 4, kRounds = 20000 };

struct shared {
  omp_lock_t lock;
  long counter;
};

static void count(struct shared* s, int rounds) {
  for (int i = 0; i < rounds; i++) {
    omp_set_lock(&s->lock);
    s->counter++;
    omp_unset_lock(&s->lock);
  }
}

static void count_in_region(struct shared* s) {
#pragma omp parallel num_threads(kThreads)
  count(s, kRounds / kThreads);
}

// With long waits, in which threads leave their processors.
static void hold_now_and_then(struct shared* s) {
  for (int i = 0; i < 20; i++) {
    omp_set_lock(&s->lock);
    usleep(2000);
    s->counter++;
    omp_unset_lock(&s->lock);
    usleep(1000);
  }
}

static void hold_in_region(struct shared* s) {
#pragma omp parallel num_threads(2)
  hold_now_and_then(s);
}

static struct shared* make_shared(void) {
  struct shared* s =
      mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(s != MAP_FAILED);
  omp_init_lock(&s->lock);
  return s;
}

static void by_two_processes(void (*use)(struct shared*), long expected) {
  struct shared* s = make_shared();
  pid_t child = fork();
  CHECK(child >= 0);
  use(s);
  if (child == 0) _exit(0);
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(s->counter == expected);
}

static void count_outside(struct shared* s) { count(s, kRounds); }

static omp_nest_lock_t never_initialised;

static void zero_nest(void) {
  long counter = 0;
  CHECK(omp_test_nest_lock(&never_initialised) == 1);
  omp_unset_nest_lock(&never_initialised);
#pragma omp parallel num_threads(kThreads)
  for (int i = 0; i < 1000; i++) {
    omp_set_nest_lock(&never_initialised);
    omp_set_nest_lock(&never_initialised);
    counter++;
    omp_unset_nest_lock(&never_initialised);
    omp_unset_nest_lock(&never_initialised);
  }
  CHECK(counter == 1000 * kThreads);
}

int main(int argc, char** argv) {
  const char* which = argc > 1 ? argv[1] : "";
  if (strcmp(which, "processes") == 0) {
    by_two_processes(count_outside, 2 * kRounds);
  } else if (strcmp(which, "processes-in-regions") == 0) {
    by_two_processes(count_in_region, 2 * kRounds);
  } else if (strcmp(which, "processes-that-wait") == 0) {
    by_two_processes(hold_in_region, 80);
  } else if (strcmp(which, "zero-nest") == 0) {
    zero_nest();
  } else {
    return 2;
  }
  return 0;
}
