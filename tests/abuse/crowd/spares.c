// SPDX-License-Identifier: Apache-2.0
// Threads that compute for long look like threads that block. The kernel threads that help must not
// be many more than one for each thread.
#include <stdatomic.h>

#include "../common/abuse.h"

enum { kThreads = 24, kMost = kThreads + 18, kRegions = 4 };

static atomic_int over;

static void* watch(void* most) {
  while (!over) {
    const long now = proc_status("Threads:");
    if (now > *(long*)most) *(long*)most = now;
    usleep(1000);
  }
  return NULL;
}

static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void work(double ms) {
  const double end = cpu_ms() + ms;
  while (cpu_ms() < end) {
  }
}

static void computing(void) {
  long most = 0;
  pthread_t watcher;
  CHECK(pthread_create(&watcher, NULL, watch, &most) == 0);
  for (int i = 0; i < kRegions; i++) {
#pragma omp parallel num_threads(kThreads)
    work(40);
  }
  over = 1;
  pthread_join(watcher, NULL);
  // Besides the team: the watching thread, Bobbin's monitor, and a few kernel threads that have
  // come for nothing or are about to end. On a loaded machine these take long to end. There were
  // twice as many as threads, and four times, before the monitor waited for those on their way.
  if (most > kMost) fprintf(stderr, "%ld kernel threads\n", most);
  CHECK(most <= kMost);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"computing", computing},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
