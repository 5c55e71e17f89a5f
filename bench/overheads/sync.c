// SPDX-License-Identifier: Apache-2.0
// Regions and synchronisation.
#include "overhead.h"

static long parallel(long reps) {
  struct tally* tally = new_tally();
  for (long r = 0; r < reps; r++) {
#pragma omp parallel num_threads(team_size)
    delay(tally);
  }
  return end_tally(tally);
}

static long reduction(long reps) {
  struct tally* tally = new_tally();
  long sum = 0;
  for (long r = 0; r < reps; r++) {
#pragma omp parallel num_threads(team_size) reduction(+ : sum)
    {
      delay(tally);
      sum++;
    }
  }
  require(sum == reps * team_size, "the reduction's sum");
  return end_tally(tally);
}

static long barrier(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
    delay(tally);
#pragma omp barrier
  }
  return end_tally(tally);
}

static long single(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp single
    delay(tally);
  }
  return end_tally(tally);
}

static long single_nowait(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp single nowait
    delay(tally);
  }
  return end_tally(tally);
}

static long masked(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp masked
    delay(tally);
  }
  return end_tally(tally);
}

static long sections(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp sections
    {
#pragma omp section
      delay(tally);
    }
  }
  return end_tally(tally);
}

static long critical(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp critical
    delay(tally);
  }
  return end_tally(tally);
}

static long critical_contended(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp critical(contended) hint(omp_sync_hint_contended)
    delay(tally);
  }
  return end_tally(tally);
}

static long critical_uncontended(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
#pragma omp critical(uncontended) hint(omp_sync_hint_uncontended)
    delay(tally);
  }
  return end_tally(tally);
}

static long atomic(long reps) {
  struct tally* tally = new_tally();
  long sum = 0;
#pragma omp parallel num_threads(team_size) shared(sum)
  for (long r = 0; r < reps; r++) {
    delay(tally);
#pragma omp atomic
    sum++;
  }
  require(sum == reps * team_size, "the atomic updates");
  return end_tally(tally);
}

static long ordered_static(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel for num_threads(team_size) ordered schedule(static, 1)
  for (long r = 0; r < reps; r++) {
#pragma omp ordered
    delay(tally);
  }
  return end_tally(tally);
}

static long ordered_dynamic(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel for num_threads(team_size) ordered schedule(dynamic, 1)
  for (long r = 0; r < reps; r++) {
#pragma omp ordered
    delay(tally);
  }
  return end_tally(tally);
}

static long doacross(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel for num_threads(team_size) ordered(1) schedule(static, 1)
  for (long r = 0; r < reps; r++) {
#pragma omp ordered depend(sink : r - 1)
    delay(tally);
#pragma omp ordered depend(source)
  }
  return end_tally(tally);
}

const struct test kSyncTests[] = {
    {"sync", "parallel", parallel, kShared, .each = 1, .constructs = 1},
    {"sync", "reduction", reduction, kShared, .each = 1, .constructs = 1},
    {"sync", "barrier", barrier, kShared, .each = 1, .constructs = 1},
    {"sync", "single", single, kOneByOne, .all = 1, .constructs = 1},
    {"sync", "single_nowait", single_nowait, kShared, .all = 1, .constructs = 1},
    {"sync", "masked", masked, kOneByOne, .all = 1, .constructs = 1},
    {"sync", "sections", sections, kOneByOne, .all = 1, .constructs = 1},
    {"sync", "critical", critical, kOneByOneOfAll, .each = 1, .constructs = 1},
    {"sync", "critical_contended", critical_contended, kOneByOneOfAll, .each = 1, .constructs = 1},
    {"sync", "critical_uncontended", critical_uncontended, kOneByOneOfAll, .each = 1,
     .constructs = 1},
    {"sync", "atomic", atomic, kShared, .each = 1, .constructs = 1},
    {"sync", "ordered_static", ordered_static, kOneByOne, .all = 1, .constructs = 1},
    {"sync", "ordered_dynamic", ordered_dynamic, kOneByOne, .all = 1, .constructs = 1},
    {"sync", "doacross", doacross, kOneByOne, .all = 1, .constructs = 1},
    {.construct = NULL},
};
