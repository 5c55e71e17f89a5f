/* SPDX-License-Identifier: Apache-2.0 */
/* critical, atomic operations that the processor lacks, cancellation, and the locks of omp.h. */
#include <omp.h>
#include <stdlib.h>

#include "team.h"

static pthread_mutex_t unnamed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t combining = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t atomic = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t* mutex_of(void** place) {
  if (place == NULL) return &unnamed;
  pthread_mutex_t* mutex = __atomic_load_n((pthread_mutex_t**)place, __ATOMIC_ACQUIRE);
  if (mutex != NULL) return mutex;
  pthread_mutex_t* made = allocate(sizeof *made);
  pthread_mutex_init(made, NULL);
  if (__atomic_compare_exchange_n((pthread_mutex_t**)place, &mutex, made, 0, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE)) {
    return made;
  }
  pthread_mutex_destroy(made);
  free(made);
  return mutex;
}

void bobbin_omp_critical_begin(void** lock) { pthread_mutex_lock(mutex_of(lock)); }
void bobbin_omp_critical_end(void** lock) { pthread_mutex_unlock(mutex_of(lock)); }
void bobbin_omp_combine_begin(void) { pthread_mutex_lock(&combining); }
void bobbin_omp_combine_end(void) { pthread_mutex_unlock(&combining); }
void bobbin_omp_atomic_begin(void) { pthread_mutex_lock(&atomic); }
void bobbin_omp_atomic_end(void) { pthread_mutex_unlock(&atomic); }

/* The lock is held. Where a region notes that it is cancelled; null: there is none. */
static bool* cancelled_of(struct member* member, int region) {
  if (region == bobbin_omp_cancel_parallel) return &member->team->cancelled;
  if (region == bobbin_omp_cancel_taskgroup) {
    return member->task->group != NULL ? &member->task->group->cancelled : NULL;
  }
  return member->work != NULL ? &member->work->cancelled : NULL;
}

int bobbin_omp_cancel(int region, int condition) {
  struct member* member = self();
  if (!environment.cancellation) return 0;
  pthread_mutex_lock(&member->team->lock);
  bool* is_cancelled = cancelled_of(member, region);
  if (condition && is_cancelled != NULL) {
    *is_cancelled = true;
    changed(member->team);
  }
  const int result = is_cancelled != NULL && *is_cancelled;
  pthread_mutex_unlock(&member->team->lock);
  return result;
}
int bobbin_omp_cancellation_point(int region) { return bobbin_omp_cancel(region, 0); }

/* An omp_lock_t may be as small as an int, and any thread may give it back, so it is only a number
 * that one mutex guards. A nestable one has the number of its owner and how often it is set. */
static pthread_mutex_t locks = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given_back = PTHREAD_COND_INITIALIZER;

struct lock {
  unsigned owner; /* 0: it is free */
  unsigned times; /* of a nestable one */
};

static int take(unsigned* owner, unsigned who, bool waits) {
  pthread_mutex_lock(&locks);
  while (waits && *owner != 0 && *owner != who) pthread_cond_wait(&given_back, &locks);
  const bool is_taken = *owner == 0 || *owner == who;
  if (is_taken) *owner = who;
  pthread_mutex_unlock(&locks);
  return is_taken;
}

static void give_back(unsigned* owner) {
  pthread_mutex_lock(&locks);
  *owner = 0;
  pthread_cond_broadcast(&given_back);
  pthread_mutex_unlock(&locks);
}

static int take_plain(omp_lock_t* lock, bool waits) {
  unsigned* owner = (unsigned*)lock;
  pthread_mutex_lock(&locks);
  while (waits && *owner != 0) pthread_cond_wait(&given_back, &locks);
  const bool is_free = *owner == 0;
  *owner = 1;
  pthread_mutex_unlock(&locks);
  return is_free;
}

static int take_nest(omp_nest_lock_t* lock, bool waits) {
  struct lock* own = (struct lock*)lock;
  if (!take(&own->owner, self()->task->id, waits)) return 0;
  return (int)++own->times;
}

void omp_init_lock(omp_lock_t* lock) { *(unsigned*)lock = 0; }
void omp_init_lock_with_hint(omp_lock_t* lock, omp_sync_hint_t hint) {
  (void)hint;
  omp_init_lock(lock);
}
void omp_destroy_lock(omp_lock_t* lock) { (void)lock; }
void omp_set_lock(omp_lock_t* lock) { take_plain(lock, true); }
void omp_unset_lock(omp_lock_t* lock) { give_back((unsigned*)lock); }
int omp_test_lock(omp_lock_t* lock) { return take_plain(lock, false); }

void omp_init_nest_lock(omp_nest_lock_t* lock) { *(struct lock*)lock = (struct lock){0, 0}; }
void omp_init_nest_lock_with_hint(omp_nest_lock_t* lock, omp_sync_hint_t hint) {
  (void)hint;
  omp_init_nest_lock(lock);
}
void omp_destroy_nest_lock(omp_nest_lock_t* lock) { (void)lock; }
void omp_set_nest_lock(omp_nest_lock_t* lock) { take_nest(lock, true); }
void omp_unset_nest_lock(omp_nest_lock_t* lock) {
  struct lock* own = (struct lock*)lock;
  if (--own->times == 0) give_back(&own->owner);
}
int omp_test_nest_lock(omp_nest_lock_t* lock) { return take_nest(lock, false); }
