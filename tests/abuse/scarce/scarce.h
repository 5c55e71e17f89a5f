// SPDX-License-Identifier: Apache-2.0
// A program's life under scarcity: whatever sizes its teams get, every result is right. The bodies
// call nothing that may itself fail.
#pragma once

#include "../common/abuse.h"

static inline void scarce_loops(int threads) {
  static int hits[2000];
  long sum = 0;
  memset(hits, 0, sizeof hits);
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(dynamic, 3) nowait
    for (int i = 0; i < 1000; i++) hits[i]++;
#pragma omp for schedule(guided) reduction(+ : sum)
    for (int i = 1000; i < 2000; i++) {
      hits[i]++;
      sum += i;
    }
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 50; i++) {
#pragma omp ordered
      hits[i] += 10;
    }
  }
  for (int i = 0; i < 2000; i++) CHECK(hits[i] == (i < 50 ? 11 : 1));
  CHECK(sum == 1499500);
}

static inline void scarce_tasks(int threads) {
  int done = 0, order = 0, in_order = 1;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    for (int i = 0; i < 200; i++) {
#pragma omp task shared(done)
#pragma omp atomic
      done++;
    }
    for (int i = 0; i < 50; i++) {
#pragma omp task depend(inout : order) shared(order, in_order) firstprivate(i)
      {
        in_order &= order == i;
        order++;
      }
    }
#pragma omp taskgroup
    {
#pragma omp taskloop grainsize(5) shared(done)
      for (int i = 0; i < 100; i++) {
#pragma omp atomic
        done++;
      }
    }
  }
  CHECK(done == 300);
  CHECK(order == 50 && in_order);
}

static inline void scarce_locks(int threads) {
  omp_lock_t lock;
  int inside = 0, locked = 0, critical = 0, team = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(threads)
  {
#pragma omp single
    team = omp_get_num_threads();
    for (int i = 0; i < 20; i++) {
      omp_set_lock(&lock);
      CHECK(++inside == 1);
      locked++;
      inside--;
      omp_unset_lock(&lock);
#pragma omp critical
      critical++;
    }
  }
  omp_destroy_lock(&lock);
  CHECK(team >= 1 && locked == 20 * team && critical == 20 * team);
}

static inline void scarce_life(void) {
  omp_set_max_active_levels(3);
  for (int turn = 0; turn < 3; turn++) {
    region(8);
    scarce_loops(5);
    nested_region(4, 3);
    scarce_tasks(6);
    task_region(8);
    scarce_locks(4);
    region(16);
  }
}

// Each warning may appear once: no line twice, and few lines in all.
static inline int warnings_fit(const char* err) {
  const char* lines[16];
  int n = 0;
  for (const char* line = err; *line != '\0';) {
    const char* end = strchr(line, '\n');
    if (end == NULL || n == 3) return 0;
    for (int i = 0; i < n; i++)
      if (strncmp(lines[i], line, (size_t)(end - line) + 1) == 0) return 0;
    lines[n++] = line;
    line = end + 1;
  }
  return 1;
}
