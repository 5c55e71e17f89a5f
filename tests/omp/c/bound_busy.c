/* SPDX-License-Identifier: Apache-2.0
 * The processor of a place is busy with something else. The threads of that place wait for it, or,
 * with BOBBIN_BIND=soft, run in another place at times. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { kOthers = 3 };
static int over, away;

static void* occupy(void* set) {
  pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), set);
  while (!load(&over)) continue;
  return NULL;
}

static int is_in_place(void) {
  cpu_set_t mask;
  int processors[CPU_SETSIZE];
  CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  omp_get_place_proc_ids(omp_get_place_num(), processors);
  return CPU_ISSET(processors[0], &mask);
}

/* Each thread runs once, and all of one place in one place. */
static void region(void) {
  int n = omp_get_max_threads(), runs = 0;
#pragma omp parallel num_threads(n) reduction(+ : runs)
  {
    const int before = is_in_place();
    runs++;
#pragma omp barrier
    CHECK_EQ(is_in_place(), before);
    if (!before) add_one(&away);
    if (omp_get_thread_num() == 0) CHECK(before);
  }
  CHECK_EQ(runs, n);
}

static void busy_processor(void) {
  const char* binding = getenv("BOBBIN_BIND");
  const int soft = binding != NULL && strcmp(binding, "soft") == 0;
  const int kernel =
      getenv("BOBBIN_PROVIDER") != NULL && !strcmp(getenv("BOBBIN_PROVIDER"), "kernel");
  const int last = omp_get_num_places() - 1;
  int processors[CPU_SETSIZE];
  omp_get_place_proc_ids(last, processors);
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processors[0], &set);
  pthread_t others[kOthers];
  for (int i = 0; i < kOthers; i++) CHECK_EQ(pthread_create(&others[i], NULL, occupy, &set), 0);
  const double begin = omp_get_wtime();
  const int taken = soft && !kernel && last > 0 && omp_get_max_threads() > last;
  for (int i = 0; i < 50 || (taken && !away && omp_get_wtime() - begin < 30); i++) region();
  store(&over, 1);
  for (int i = 0; i < kOthers; i++) CHECK_EQ(pthread_join(others[i], NULL), 0);
  CHECK_EQ(away != 0, taken);
}

int main(void) {
  RUN(busy_processor);
  return check_end();
}
