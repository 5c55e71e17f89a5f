// SPDX-License-Identifier: Apache-2.0
// Worksharing loops, and schedules by chunk: kIterations for each thread. The delays are short,
// because the noise of long ones would exceed the cost of a schedule.
#include "overhead.h"

enum { kIterations = 128 };

static long for_each_thread(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp for
    for (int i = 0; i < team_size; i++) delay(tally);
  }
  return end_tally(tally);
}

static long for_nowait(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp for nowait
    for (int i = 0; i < team_size; i++) delay(tally);
  }
  return end_tally(tally);
}

static long parallel_for(long reps) {
  struct tally* tally = new_tally();
  for (long r = 0; r < reps; r++) {
#pragma omp parallel for num_threads(team_size)
    for (int i = 0; i < team_size; i++) delay(tally);
  }
  return end_tally(tally);
}

static long static_default(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp for schedule(static)
    for (int i = 0; i < kIterations * team_size; i++) delay(tally);
  }
  return end_tally(tally);
}

static long static_chunks(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp for schedule(static, parameter_value)
    for (int i = 0; i < kIterations * team_size; i++) delay(tally);
  }
  return end_tally(tally);
}

static long dynamic_chunks(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp for schedule(dynamic, parameter_value)
    for (int i = 0; i < kIterations * team_size; i++) delay(tally);
  }
  return end_tally(tally);
}

static long guided_chunks(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp for schedule(guided, parameter_value)
    for (int i = 0; i < kIterations * team_size; i++) delay(tally);
  }
  return end_tally(tally);
}

#define LOOP(name, body, ...) \
  {"loop", name, body, kShared, .each = kIterations, .constructs = 1, .finer = 10, __VA_ARGS__}
#define BY_CHUNK(name, body)                               \
  LOOP(name, body, .parameter = "chunk", .value = 1),      \
      LOOP(name, body, .parameter = "chunk", .value = 2),  \
      LOOP(name, body, .parameter = "chunk", .value = 4),  \
      LOOP(name, body, .parameter = "chunk", .value = 8),  \
      LOOP(name, body, .parameter = "chunk", .value = 16), \
      LOOP(name, body, .parameter = "chunk", .value = 32), \
      LOOP(name, body, .parameter = "chunk", .value = 64), \
      LOOP(name, body, .parameter = "chunk", .value = 128)

const struct test kLoopTests[] = {
    {"loop", "for", for_each_thread, kShared, .each = 1, .constructs = 1},
    {"loop", "for_nowait", for_nowait, kShared, .each = 1, .constructs = 1},
    {"loop", "parallel_for", parallel_for, kShared, .each = 1, .constructs = 1},
    LOOP("static", static_default, ),
    BY_CHUNK("static_chunk", static_chunks),
    BY_CHUNK("dynamic", dynamic_chunks),
    BY_CHUNK("guided", guided_chunks),
    {.construct = NULL},
};
