// SPDX-License-Identifier: Apache-2.0
// Locks: one lock for the team, one with each hint, a nestable lock, and one lock per thread.
#include "overhead.h"

// libgomp has this only since GCC 13.
#pragma weak omp_init_lock_with_hint

static int hints_available(void) { return omp_init_lock_with_hint != NULL; }

static long with_lock(long reps, omp_sync_hint_t hint) {
  struct tally* tally = new_tally();
  omp_lock_t lock;
  if (hint == omp_sync_hint_none)
    omp_init_lock(&lock);
  else
    omp_init_lock_with_hint(&lock, hint);
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
    omp_set_lock(&lock);
    delay(tally);
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return end_tally(tally);
}

static long lock(long reps) { return with_lock(reps, omp_sync_hint_none); }
static long lock_contended(long reps) { return with_lock(reps, omp_sync_hint_contended); }
static long lock_uncontended(long reps) { return with_lock(reps, omp_sync_hint_uncontended); }
static long lock_speculative(long reps) { return with_lock(reps, omp_sync_hint_speculative); }
static long lock_nonspeculative(long reps) { return with_lock(reps, omp_sync_hint_nonspeculative); }

static long nest_lock(long reps) {
  struct tally* tally = new_tally();
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(team_size)
  for (long r = 0; r < reps; r++) {
    omp_set_nest_lock(&lock);
    delay(tally);
    omp_unset_nest_lock(&lock);
  }
  omp_destroy_nest_lock(&lock);
  return end_tally(tally);
}

static long lock_each(long reps) {
  struct tally* tally = new_tally();
#pragma omp parallel num_threads(team_size)
  {
    omp_lock_t mine;
    omp_init_lock(&mine);
    for (long r = 0; r < reps; r++) {
      omp_set_lock(&mine);
      delay(tally);
      omp_unset_lock(&mine);
    }
    omp_destroy_lock(&mine);
  }
  return end_tally(tally);
}

#define WITH_HINT(hint) \
  {"locks",             \
   "lock_" #hint,       \
   lock_##hint,         \
   kOneByOne,           \
   .each = 1,           \
   .constructs = 1,     \
   .available = hints_available}

const struct test kLockTests[] = {
    {"locks", "lock", lock, kOneByOne, .each = 1, .constructs = 1},
    WITH_HINT(contended),
    WITH_HINT(uncontended),
    WITH_HINT(speculative),
    WITH_HINT(nonspeculative),
    {"locks", "nest_lock", nest_lock, kOneByOne, .each = 1, .constructs = 1},
    {"locks", "lock_each", lock_each, kShared, .each = 1, .constructs = 1},
    {.construct = NULL},
};
