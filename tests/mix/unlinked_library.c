/* SPDX-License-Identifier: Apache-2.0
 * Compiled with -fopenmp but linked without it: its references to OpenMP name no version. */
#include <omp.h>

/* GCC's header does not declare it: libgomp has none. */
extern void omp_init_nest_lock_with_hint(omp_nest_lock_t*, omp_sync_hint_t);

/* Returns how often the lock is held after two rounds, plus 1000 if a guard was overwritten. */
int NESTED(int hinted) {
  struct {
    omp_nest_lock_t lock;
    long guard[3];
  } one = {.guard = {7, 8, 9}};
  if (hinted) {
    omp_init_nest_lock_with_hint(&one.lock, omp_sync_hint_none);
  } else {
    omp_init_nest_lock(&one.lock);
  }
  omp_set_nest_lock(&one.lock);
  int held = omp_test_nest_lock(&one.lock);
  omp_unset_nest_lock(&one.lock);
  omp_unset_nest_lock(&one.lock);
  omp_destroy_nest_lock(&one.lock);
  return one.guard[0] == 7 && one.guard[1] == 8 && one.guard[2] == 9 ? held : held + 1000;
}
