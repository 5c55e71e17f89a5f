/* SPDX-License-Identifier: Apache-2.0 */
/* critical, atomic operations that the processor lacks, cancellation, and the locks of omp.h. */
#include <omp.h>

#include "team.h"

/* The place of a lock may be as small as an int, and any thread may give an omp_lock_t back, so it
 * is only a number, 0 at first: who owns it. A nestable one is owned by a task, and counts how
 * often it is set. */
struct lock {
  unsigned owner;
  unsigned times; /* of a nestable one */
};

static bool take(unsigned* owner, unsigned who, bool is_nestable, bool waits) {
  bobbin_posix_take_lock();
  while (waits && *owner != 0 && !(is_nestable && *owner == who)) bobbin_posix_await_change();
  const bool is_taken = *owner == 0 || (is_nestable && *owner == who);
  if (is_taken) *owner = who;
  bobbin_posix_release_lock();
  return is_taken;
}
static bool take_plain(void* lock, bool waits) { return take(lock, 1, false, waits); }
static int take_nest(omp_nest_lock_t* nest, bool waits) {
  struct lock* lock = (struct lock*)nest;
  return take(&lock->owner, bobbin_posix_self()->task->id, true, waits) ? (int)++lock->times : 0;
}

static void give_back(void* lock) {
  bobbin_posix_take_lock();
  *(unsigned*)lock = 0;
  bobbin_posix_tell_change();
  bobbin_posix_release_lock();
}

void omp_init_lock(omp_lock_t* lock) { *(unsigned*)lock = 0; }
void omp_init_lock_with_hint(omp_lock_t* lock, omp_sync_hint_t hint) { omp_init_lock(lock); }
void omp_destroy_lock(omp_lock_t* lock) {}
void omp_set_lock(omp_lock_t* lock) { take_plain(lock, true); }
void omp_unset_lock(omp_lock_t* lock) { give_back(lock); }
int omp_test_lock(omp_lock_t* lock) { return take_plain(lock, false); }

void omp_init_nest_lock(omp_nest_lock_t* lock) { *(struct lock*)lock = (struct lock){0, 0}; }
void omp_init_nest_lock_with_hint(omp_nest_lock_t* lock, omp_sync_hint_t hint) {
  omp_init_nest_lock(lock);
}
void omp_destroy_nest_lock(omp_nest_lock_t* lock) {}
void omp_set_nest_lock(omp_nest_lock_t* lock) { take_nest(lock, true); }
void omp_unset_nest_lock(omp_nest_lock_t* lock) {
  if (--((struct lock*)lock)->times == 0) give_back(lock);
}
int omp_test_nest_lock(omp_nest_lock_t* lock) { return take_nest(lock, false); }

static unsigned unnamed;
static unsigned combining;
static unsigned atomic;

void bobbin_omp_critical_begin(void** lock) {
  take_plain(lock != NULL ? (void*)lock : &unnamed, true);
}
void bobbin_omp_critical_end(void** lock) { give_back(lock != NULL ? (void*)lock : &unnamed); }
void bobbin_omp_combine_begin(void) { take_plain(&combining, true); }
void bobbin_omp_combine_end(void) { give_back(&combining); }
void bobbin_omp_atomic_begin(void) { take_plain(&atomic, true); }
void bobbin_omp_atomic_end(void) { give_back(&atomic); }

/* The lock is held. Where a region notes that it is cancelled; null: there is none. */
static bool* cancelled_of(struct member* member, int region) {
  if (region == bobbin_omp_cancel_parallel) return &member->team->cancelled;
  if (region == bobbin_omp_cancel_taskgroup) {
    return member->task->group != NULL ? &member->task->group->cancelled : NULL;
  }
  return member->work != NULL ? &member->work->cancelled : NULL;
}

int bobbin_omp_cancel(int region, int condition) {
  if (!bobbin_posix_environment.cancellation) return 0;
  struct member* member = bobbin_posix_locked_self();
  bool* is_cancelled = cancelled_of(member, region);
  if (condition && is_cancelled != NULL) {
    *is_cancelled = true;
    bobbin_posix_tell_change();
  }
  const int result = is_cancelled != NULL && *is_cancelled;
  bobbin_posix_release_lock();
  return result;
}
int bobbin_omp_cancellation_point(int region) { return bobbin_omp_cancel(region, 0); }
