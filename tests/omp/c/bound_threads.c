/* SPDX-License-Identifier: Apache-2.0
 * Bound threads, more of them than processors: whatever they do, they stay in their places, the
 * kernel says so, and none of a place waits for ever for another one of the same place. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "check.h"

static void check_place(int place) {
  cpu_set_t mask;
  int count = omp_get_place_num_procs(place);
  CHECK_EQ(omp_get_place_num(), place);
  CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  CHECK_EQ(CPU_COUNT(&mask), count);
  CHECK(CPU_ISSET(sched_getcpu(), &mask));
  CHECK_EQ(pthread_getaffinity_np(pthread_self(), sizeof mask, &mask), 0);
  CHECK_EQ(CPU_COUNT(&mask), count);
}

/* Every kind of wait, after which another kernel thread may carry the thread. */
static void waits(void) {
  int n = omp_get_max_threads();
#pragma omp parallel
  {
    const int place = omp_get_place_num();
    for (int i = 0; i < 8; i++) {
#pragma omp barrier
      check_place(place);
#pragma omp critical
      sched_yield();
      check_place(place);
#pragma omp single
      for (int k = 0; k < 2 * n; k++) {
#pragma omp task
        {
          check_place(omp_get_place_num());
#pragma omp taskyield
        }
      }
      check_place(place);
#pragma omp task
      usleep(10);
#pragma omp taskwait
      check_place(place);
    }
  }
}

/* Thread k waits, unseen by the runtime, until thread k + 1 has come. */
static void chains(void) {
  int come[130] = {0};
#pragma omp parallel
  {
    const int num = omp_get_thread_num(), place = omp_get_place_num();
    if (num + 1 < omp_get_num_threads()) spin_until(&come[num + 1]);
    store(&come[num], 1);
    check_place(place);
  }
}

/* A thread that has ended its part helps with a task whose maker waits for it unseen. */
static void late_tasks(void) {
  for (int i = 0; i < 50; i++) {
    int done = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
      if (i % 2) usleep(50);
#pragma omp task shared(done)
      {
        check_place(omp_get_place_num());
        store(&done, 1);
      }
#pragma omp taskwait
      CHECK_EQ(load(&done), 1);
    }
  }
}

/* Inner teams lie within the partitions of their outer threads. */
static void inner_teams(void) {
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(4) proc_bind(spread)
  {
    const int outer = omp_get_place_num();
    int numbers[1024], count = omp_get_partition_num_places();
    omp_get_partition_place_nums(numbers);
    for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(5) proc_bind(close)
      {
        int within = 0;
        for (int p = 0; p < count; p++) within += numbers[p] == omp_get_place_num();
        CHECK_EQ(within, 1);
#pragma omp parallel num_threads(3) proc_bind(primary)
        check_place(omp_get_ancestor_thread_num(2) == 0 ? outer : omp_get_place_num());
      }
      check_place(outer);
    }
  }
}

static void* root(void* wrong) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    check_place(omp_get_place_num());
    sum += omp_get_thread_num();
  }
  const int n = omp_get_max_threads();
  if (sum != n * (n - 1) / 2) *(int*)wrong = 1;
  return NULL;
}

/* Several roots share the workers of the places. */
static void roots(void) {
  pthread_t threads[4];
  int wrong = 0;
  for (int i = 0; i < 10; i++) {
    for (int k = 0; k < 4; k++) CHECK_EQ(pthread_create(&threads[k], NULL, root, &wrong), 0);
    for (int k = 0; k < 4; k++) pthread_join(threads[k], NULL);
  }
  CHECK_EQ(wrong, 0);
}

/* The helpers of the places end, and come back. */
static void pauses(void) {
  for (int i = 0; i < 20; i++) {
    int count = 0;
#pragma omp parallel reduction(+ : count)
    {
      check_place(omp_get_place_num());
      count++;
    }
    CHECK_EQ(count, omp_get_max_threads());
    if (i % 2) usleep(1000);
    CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
  }
}

int main(void) {
  RUN(waits);
  RUN(chains);
  RUN(late_tasks);
  RUN(inner_teams);
  RUN(roots);
  RUN(pauses);
  return check_end();
}
