// SPDX-License-Identifier: Apache-2.0
// Calls by which a thread asks about another thread of its team, or acts on it, by its pthread_t.
// They give the right answer, or the error of POSIX for the case.
#include <sys/prctl.h>

#include "../common/abuse.h"

enum { kThreads = 4 };

static pthread_t ids[kThreads];

// All threads publish their pthread_t. Thread 0 calls `look` for each while they wait.
static void for_each(void (*look)(int, pthread_t)) {
#pragma omp parallel num_threads(kThreads)
  {
    ids[omp_get_thread_num()] = pthread_self();
#pragma omp barrier
#pragma omp master
    for (int i = 0; i < kThreads; i++) look(i, ids[i]);
#pragma omp barrier
  }
}

static void named(void) {
  char process[16];
  CHECK(prctl(PR_GET_NAME, process) == 0);
#pragma omp parallel num_threads(kThreads)
  {
    char name[16];
    char expected[16];
    int me = omp_get_thread_num();
    ids[me] = pthread_self();
    CHECK(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, process) == 0);
#pragma omp barrier
    snprintf(expected, sizeof expected, "worker-%d", me);
    CHECK(pthread_setname_np(pthread_self(), expected) == 0);
    CHECK(pthread_setname_np(pthread_self(), "longer than a name may be") == ERANGE);
    CHECK(pthread_getname_np(pthread_self(), name, 15) == ERANGE);
    for (int i = 0; i < 3; i++) {
#pragma omp barrier
      CHECK(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
      CHECK(strcmp(name, expected) == 0);
    }
    int other = (me + 1) % kThreads;
    snprintf(expected, sizeof expected, "worker-%d", other);
    CHECK(pthread_getname_np(ids[other], name, sizeof name) == 0 && strcmp(name, expected) == 0);
#pragma omp barrier
    CHECK(pthread_setname_np(ids[other], "0123456789abcde") == 0);
#pragma omp barrier
    CHECK(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    CHECK(strcmp(name, "0123456789abcde") == 0);
#pragma omp barrier
    CHECK(pthread_setname_np(pthread_self(), process) == 0);
  }
}

static void look_at_clock(int number, pthread_t thread) {
  clockid_t clock;
  struct timespec time;
  int error = pthread_getcpuclockid(thread, &clock);
  CHECK(error == 0 || (error == ENOENT && number != 0));
  CHECK(error != 0 || clock_gettime(clock, &time) == 0);
}

static void look_at_scheduling(int number, pthread_t thread) {
  int policy;
  struct sched_param param;
  int error = pthread_getschedparam(thread, &policy, &param);
  CHECK(error == 0 || (error == ESRCH && number != 0));
  if (error != 0) {
    policy = SCHED_OTHER;
    param.sched_priority = 0;
  }
  CHECK(pthread_setschedparam(thread, policy, &param) == error);
  CHECK(pthread_setschedprio(thread, param.sched_priority) == error);
}

static void look_at_affinity(int number, pthread_t thread) {
  cpu_set_t set;
  int error = pthread_getaffinity_np(thread, sizeof set, &set);
  CHECK(error == 0 || (error == ESRCH && number != 0));
  if (error != 0) CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
  CHECK(pthread_setaffinity_np(thread, sizeof set, &set) == error);
}

static void clocks(void) { for_each(look_at_clock); }
static void scheduling(void) { for_each(look_at_scheduling); }
static void affinities(void) { for_each(look_at_affinity); }

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"named", named},           {"clocks", clocks}, {"scheduling", scheduling},
      {"affinities", affinities}, {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
