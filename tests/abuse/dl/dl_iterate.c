// SPDX-License-Identifier: Apache-2.0
// A program opens regions while it holds the loader's lock. Another of its threads opens regions
// without holding it.
#include <link.h>
#include <sys/time.h>

#include "../common/abuse.h"

enum { kThreads = 4, kCalls = 2000 };

static int stop, running;

static void* open_regions(void* unused) {
  int stopped = 0;
  while (!stopped) {
    region(kThreads);
#pragma omp atomic write
    running = 1;
#pragma omp atomic read
    stopped = stop;
  }
  return unused;
}

static int open_one(struct dl_phdr_info* info, size_t size, void* count) {
  (void)info, (void)size;
  ++*(int*)count;
  region(kThreads);
  return 1;
}

static void regions_in_callbacks(void) {
  pthread_t other;
  int started = 0, count = 0;
  CHECK(pthread_create(&other, NULL, open_regions, NULL) == 0);
  while (!started) {
    sched_yield();
#pragma omp atomic read
    started = running;
  }
  for (int i = 0; i < kCalls; i++) CHECK(dl_iterate_phdr(open_one, &count) == 1);
#pragma omp atomic write
  stop = 1;
  CHECK(pthread_join(other, NULL) == 0);
  CHECK(count == kCalls);
}

static int beginning;

static void* open_regions_told(void* unused) {
  int stopped = 0;
  while (!stopped) {
#pragma omp atomic update
    beginning++;
    region(kThreads);
#pragma omp atomic read
    stopped = stop;
  }
  return unused;
}

static void wait_for_next_region(void) {
  int before, now;
#pragma omp atomic read
  before = beginning;
  do {
    sched_yield();
#pragma omp atomic read
    now = beginning;
  } while (now == before);
}

// The other thread's next region asks the loader, or is about to. It has to wait for this callback,
// and no fork may wait for it.
static int fork_one(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)info, (void)size, (void)unused;
  for (int i = 0; i < 20; i++) sched_yield();
  pid_t child = fork_child();
  if (child == 0) _exit(0);
  CHECK(reap(child) == 0);
  return 1;
}

static void forks_in_callback(void) {
  pthread_t other;
  CHECK(pthread_create(&other, NULL, open_regions_told, NULL) == 0);
  for (int i = 0; i < 3; i++) {
    wait_for_next_region();
    CHECK(dl_iterate_phdr(fork_one, NULL) == 1);
  }
#pragma omp atomic write
  stop = 1;
  CHECK(pthread_join(other, NULL) == 0);
}

static void on_timer(int signal) { (void)signal; }

// A fork also stops waiting at some time under a profiler's timer.
static void forks_under_timer(void) {
  const struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
  const struct itimerval often = {{0, 10000}, {0, 10000}}, never = {{0, 0}, {0, 0}};
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
  forks_in_callback();
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
}

static int end_threads(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)info, (void)size, (void)unused;
  region(kThreads);
  CHECK(omp_pause_resource_all(omp_pause_soft) == 0);
  return 1;
}

static void threads_end_in_callback(void) {
  region(kThreads);
  for (int i = 0; i < 10; i++) CHECK(dl_iterate_phdr(end_threads, NULL) == 1);
  region(kThreads);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"regions-in-callbacks", regions_in_callbacks},
      {"threads-end-in-callback", threads_end_in_callback},
      {"forks-in-callback", forks_in_callback},
      {"forks-under-timer", forks_under_timer},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
