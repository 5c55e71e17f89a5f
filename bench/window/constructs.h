// SPDX-License-Identifier: Apache-2.0
// The constructs that are measured in isolation, each with its stamps.
#pragma once

#include "window.h"

static int team_size;
static long loop_turns;  // turns of one iteration

static void barrier(void) {
  note_in();
#pragma omp barrier
  note_out();
}

static void single(void) {
  note_in();
#pragma omp single
  note_inside();
  note_out();
}

static void single_copyprivate(void) {
  double value = 0;
  note_in();
#pragma omp single copyprivate(value)
  value = 1;
  note_out();
  require(value == 1, "copyprivate reached every thread");
}

static void critical(void) {
  note_in();
#pragma omp critical
  note_inside();
  note_out();
}

static void reduction(void) {
  static long sum;
  note_in();
#pragma omp for reduction(+ : sum)
  for (int i = 0; i < team_size; i++) sum++;
  note_out();
}

enum { kIterationsEach = 16 };

static inline void iteration(int* first) {
  if (*first) note_inside();
  *first = 0;
  work_turns(loop_turns);
}

static void for_static(void) {
  int first = 1;
  note_in();
#pragma omp for schedule(static)
  for (int i = 0; i < kIterationsEach * team_size; i++) iteration(&first);
  note_out();
}

static void for_dynamic(void) {
  int first = 1;
  note_in();
#pragma omp for schedule(dynamic, 1)
  for (int i = 0; i < kIterationsEach * team_size; i++) iteration(&first);
  note_out();
}

static void for_guided(void) {
  int first = 1;
  note_in();
#pragma omp for schedule(guided, 1)
  for (int i = 0; i < kIterationsEach * team_size; i++) iteration(&first);
  note_out();
}

static void for_ordered(void) {
  note_in();
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < team_size; i++) {
#pragma omp ordered
    note_inside();
  }
  note_out();
}

static void taskwait(void) {
  note_in();
#pragma omp task
  work_turns(loop_turns);
#pragma omp taskwait
  note_out();
}

static void parallel(void) {
  note_in();
#pragma omp parallel num_threads(team_size)
  note_inside();
  note_out();
}

enum { kSmall = 8, kLarge = 4096 };

static void firstprivate_small(void) {
  char array[kSmall] = {1};
  note_in();
#pragma omp parallel num_threads(team_size) firstprivate(array)
  {
    note_inside();
    require(array[0] == 1, "firstprivate copied the array");
    array[0] = 0;
  }
  note_out();
}

static void firstprivate_large(void) {
  char array[kLarge] = {1};
  note_in();
#pragma omp parallel num_threads(team_size) firstprivate(array)
  {
    note_inside();
    require(array[0] == 1, "firstprivate copied the array");
    array[0] = 0;
  }
  note_out();
}

static void parallel_reduction(void) {
  long sum = 0;
  note_in();
#pragma omp parallel num_threads(team_size) reduction(+ : sum)
  {
    note_inside();
    sum++;
  }
  note_out();
  require(sum == team_size, "the reduction's sum");
}

static const struct construct {
  const char* name;
  void (*body)(void);
  enum { kByTheTeam, kByOneThread } entered;
  const char* to_inside;  // names of the phases before and after the inner stamps, or NULL
  const char* from_inside;
} kConstructs[] = {
    {"barrier", barrier, kByTheTeam, NULL, NULL},
    {"single", single, kByTheTeam, "begin", NULL},
    {"single_copyprivate", single_copyprivate, kByTheTeam, NULL, NULL},
    {"critical", critical, kByTheTeam, "begin", NULL},
    {"for_reduction", reduction, kByTheTeam, NULL, NULL},
    {"for_static", for_static, kByTheTeam, "begin", NULL},
    {"for_dynamic", for_dynamic, kByTheTeam, "begin", NULL},
    {"for_guided", for_guided, kByTheTeam, "begin", NULL},
    {"for_ordered", for_ordered, kByTheTeam, "begin", NULL},
    {"taskwait", taskwait, kByTheTeam, NULL, NULL},
    {"parallel", parallel, kByOneThread, "fork", "join"},
    {"parallel_firstprivate_8", firstprivate_small, kByOneThread, "fork", "join"},
    {"parallel_firstprivate_4096", firstprivate_large, kByOneThread, "fork", "join"},
    {"parallel_reduction", parallel_reduction, kByOneThread, "fork", "join"},
};
