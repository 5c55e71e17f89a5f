/* SPDX-License-Identifier: Apache-2.0
 * Sets variables for itself, then asks by the routine that is named: the first use of OpenMP. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int threads_of_region(void) {
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

static int priority(void) { return omp_get_max_task_priority(); }

static int schedule(void) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  return chunk;
}

static int places(void) { return omp_get_num_places(); }

static int format(void) {
  char text[32];
  return (int)omp_get_affinity_format(text, sizeof text);
}

static void* bind_and_ask(void* threads) {
  cpu_set_t all, one;
  pthread_getaffinity_np(pthread_self(), sizeof all, &all);
  int first = 0;
  while (!CPU_ISSET(first, &all)) first++;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  *(int*)threads = omp_get_max_threads();
  return NULL;
}

/* A thread that was bound speaks for itself, not for the process. */
static int from_bound_thread(void) {
  cpu_set_t all;
  int threads = 0;
  pthread_t thread;
  sched_getaffinity(0, sizeof all, &all);
  pthread_create(&thread, NULL, bind_and_ask, &threads);
  pthread_join(thread, NULL);
  return threads == CPU_COUNT(&all) ? 7 : threads;
}

int main(int argc, char** argv) {
  static const struct {
    const char *name, *variable, *value;
    int (*ask)(void);
  } questions[] = {
      {"threads", "OMP_NUM_THREADS", "7", threads_of_region},
      {"max_threads", "OMP_NUM_THREADS", "7", omp_get_max_threads},
      {"priority", "OMP_MAX_TASK_PRIORITY", "7", priority},
      {"cancellation", "OMP_CANCELLATION", "true", omp_get_cancellation},
      {"schedule", "OMP_SCHEDULE", "guided,7", schedule},
      {"teams", "OMP_NUM_TEAMS", "7", omp_get_max_teams},
      {"places", "OMP_PLACES", "{0},{0},{0},{0},{0},{0},{0}", places},
      {"from_bound_thread", "BOBBIN_PROVIDER", "fiber", from_bound_thread},
      {"format", "OMP_AFFINITY_FORMAT", "seven..", format},
  };
  for (unsigned i = 0; argc > 1 && i < sizeof questions / sizeof questions[0]; i++) {
    if (strcmp(argv[1], questions[i].name) != 0) continue;
    setenv(questions[i].variable, questions[i].value, 1);
    printf("%d\n", questions[i].ask());
    return 0;
  }
  return 1;
}
