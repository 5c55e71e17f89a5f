/* SPDX-License-Identifier: Apache-2.0
 * Locks: simple, nestable, with hints, tested. They are owned by the task, not by the thread. */
#include <dlfcn.h>
#include <sched.h>

#include "check.h"

static void simple(void) {
  omp_lock_t lock;
  int n = omp_get_max_threads(), each = max_int(10, 3000 / n), count = 0, inside = 0;
  omp_init_lock(&lock);
#pragma omp parallel
  for (int i = 0; i < each; i++) {
    omp_set_lock(&lock);
    CHECK_EQ(add_one(&inside), 1);
    count++;
    __atomic_fetch_sub(&inside, 1, __ATOMIC_ACQ_REL);
    omp_unset_lock(&lock);
  }
  CHECK_EQ(count, n * each);
  omp_destroy_lock(&lock);
}

static void tested(void) {
  omp_lock_t lock;
  int n = omp_get_max_threads(), count = 0, refused = 0;
  omp_init_lock(&lock);
  CHECK(omp_test_lock(&lock));
  CHECK(!omp_test_lock(&lock));
#pragma omp parallel
  {
    if (!omp_test_lock(&lock)) add_one(&refused);
  }
  CHECK_EQ(refused, n);
  omp_unset_lock(&lock);
#pragma omp parallel
  {
    for (int i = 0; i < 10; i++) {
      while (!omp_test_lock(&lock)) sched_yield();
      count++;
      omp_unset_lock(&lock);
    }
  }
  CHECK_EQ(count, 10 * n);
  omp_destroy_lock(&lock);
}

static void nestable(void) {
  omp_nest_lock_t lock;
  int n = omp_get_max_threads(), count = 0, inside = 0;
  omp_init_nest_lock(&lock);
#pragma omp parallel
  for (int i = 0; i < 10; i++) {
    omp_set_nest_lock(&lock);
    CHECK_EQ(add_one(&inside), 1);
    omp_set_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 3);
    count++;
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
    CHECK_EQ(load(&inside), 1);
    __atomic_fetch_sub(&inside, 1, __ATOMIC_ACQ_REL);
    omp_unset_nest_lock(&lock);
  }
  CHECK_EQ(count, 10 * n);
  CHECK_EQ(omp_test_nest_lock(&lock), 1);
#pragma omp parallel
  CHECK(omp_get_thread_num() == 0 || omp_test_nest_lock(&lock) == 0);
  omp_unset_nest_lock(&lock);
  omp_destroy_nest_lock(&lock);
}

/* A nestable lock belongs to the task: another task of the same thread does not own it. */
static void owned_by_the_task(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_set_nest_lock(&lock);
#pragma omp task if (0) shared(lock)
    CHECK_EQ(omp_test_nest_lock(&lock), 0);
    CHECK_EQ(omp_test_nest_lock(&lock), 2);
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
  }
  omp_destroy_nest_lock(&lock);
}

/* A lock that passes control between two threads: strict alternation. */
static void hand_over(void) {
  if (omp_get_max_threads() < 2) return;
  omp_lock_t lock;
  int turn = 0, rounds = 60;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2) shared(turn)
  for (int me = omp_get_thread_num(), done = 0; done < rounds;) {
    omp_set_lock(&lock);
    if (turn % 2 == me) {
      turn++;
      done++;
    }
    omp_unset_lock(&lock);
    sched_yield();
  }
  CHECK_EQ(turn, 2 * rounds);
  omp_destroy_lock(&lock);
}

static void across_teams(void) {
  omp_lock_t lock;
  int outer = min_int(omp_get_max_threads(), 4), count = 0;
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer)
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 15; i++) {
    omp_set_lock(&lock);
    count++;
    omp_unset_lock(&lock);
  }
  CHECK_EQ(count, 30 * outer);
  omp_destroy_lock(&lock);
}

static void many(void) {
  enum { kLocks = 64 };
  static omp_lock_t locks[kLocks];
  static int counts[kLocks];
  int n = omp_get_max_threads();
  for (int i = 0; i < kLocks; i++) omp_init_lock(&locks[i]);
#pragma omp parallel
  for (int i = 0; i < 100; i++) {
    int k = (i * 7 + omp_get_thread_num() * 13) % kLocks;
    omp_set_lock(&locks[k]);
    counts[k]++;
    omp_unset_lock(&locks[k]);
  }
  int sum = 0;
  for (int i = 0; i < kLocks; i++) {
    sum += counts[i];
    omp_destroy_lock(&locks[i]);
  }
  CHECK_EQ(sum, 100 * n);
}

/* GCC 12's library declares these but does not export them, so they are looked up. */
static void hinted(void) {
  void (*init)(omp_lock_t*, int) =
      (void (*)(omp_lock_t*, int))dlsym(RTLD_DEFAULT, "omp_init_lock_with_hint");
  void (*init_nest)(omp_nest_lock_t*, int) =
      (void (*)(omp_nest_lock_t*, int))dlsym(RTLD_DEFAULT, "omp_init_nest_lock_with_hint");
  if (on_bobbin()) CHECK(init != NULL && init_nest != NULL);
  if (init == NULL || init_nest == NULL) return;
  static const int kHints[] = {omp_sync_hint_none, omp_sync_hint_uncontended,
                               omp_sync_hint_contended, omp_sync_hint_nonspeculative,
                               omp_sync_hint_speculative | omp_sync_hint_uncontended};
  for (int h = 0; h < 5; h++) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    int count = 0, nest_count = 0;
    init(&lock, kHints[h]);
    init_nest(&nest, kHints[h]);
#pragma omp parallel
    {
      omp_set_lock(&lock);
      count++;
      omp_unset_lock(&lock);
      omp_set_nest_lock(&nest);
      nest_count++;
      omp_unset_nest_lock(&nest);
    }
    CHECK_EQ(count, omp_get_max_threads());
    CHECK_EQ(nest_count, omp_get_max_threads());
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(simple);
  RUN(tested);
  RUN(nestable);
  RUN(owned_by_the_task);
  RUN(hand_over);
  RUN(across_teams);
  RUN(many);
  RUN(hinted);
  return check_end();
}
