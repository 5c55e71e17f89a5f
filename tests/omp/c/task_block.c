/* SPDX-License-Identifier: Apache-2.0
 * Tasks that wait for something outside of OpenMP: any number of them may be blocked, other tasks
 * run meanwhile, and each goes on on its own thread. */
#include <bobbin/bobbin.h>
#include <errno.h>
#include <pthread.h>

#include "check.h"

#pragma weak bobbin_let_tasks_block
#pragma weak bobbin_block
#pragma weak bobbin_unblock
#pragma weak bobbin_blocks_task

/* Where stacks cannot be exchanged, a task that blocks holds its thread. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { kStacksAreExchanged = 0 };
#else
enum { kStacksAreExchanged = 1 };
#endif

enum { kTasks = 300 };

static bobbin_blocker blockers[kTasks];
static int blocked, passed;

static void prepare(void) {
  memset(blockers, 0, sizeof blockers);
  store(&blocked, 0);
  store(&passed, 0);
}

/* A thread that OpenMP does not know. It waits until so many tasks block, and lets the last one go
 * on first. */
static void* unblock_all(void* count) {
  spin_until(&blocked);
  while (load(&blocked) < *(int*)count) sched_yield();
  for (int i = *(int*)count; i-- > 0;) bobbin_unblock(&blockers[i]);
  return NULL;
}

/* The same, but it does not wait for all of them. */
static void* unblock_in_turn(void* unused) {
  for (int i = 0; i < kTasks; i++) {
    bobbin_unblock(&blockers[i]);
    usleep(100);
  }
  return unused;
}

static void block(int number) {
  const int thread = omp_get_thread_num();
  int* const error = &errno;
  add_one(&blocked);
  bobbin_block(&blockers[number]);
  CHECK_EQ(omp_get_thread_num(), thread);
  CHECK(&errno == error);
  add_one(&passed);
}

static pthread_t start(int* count) {
  pthread_t thread;
  prepare();
  CHECK_EQ(pthread_create(&thread, NULL, unblock_all, count), 0);
  return thread;
}

static void more_than_threads(void) {
  int count = kTasks;
  pthread_t other = start(&count);
  PRAGMA(omp parallel) PRAGMA(omp single) {
    CHECK(bobbin_blocks_task());
    for (int i = 0; i < kTasks; i++) PRAGMA(omp task firstprivate(i)) block(i);
    PRAGMA(omp taskwait)
    CHECK_EQ(load(&passed), kTasks);
  }
  pthread_join(other, NULL);
}

/* Nobody waits for them but the region's end. */
static void until_the_end(void) {
  int count = kTasks;
  pthread_t other = start(&count);
  PRAGMA(omp parallel) PRAGMA(omp masked) for (int i = 0; i < kTasks; i++) {
    PRAGMA(omp task firstprivate(i) untied) block(i);
  }
  CHECK_EQ(load(&passed), kTasks);
  pthread_join(other, NULL);
}

/* Each blocks below a taskwait, a taskgroup, a task that is not deferred, and one that must wait
 * for a predecessor. */
static void within_waits(void) {
  int count = kTasks;
  pthread_t other = start(&count);
  int ended = 0;
  PRAGMA(omp parallel) PRAGMA(omp single) for (int i = 0; i < kTasks; i++) {
    PRAGMA(omp task firstprivate(i) shared(ended)) {
      int done = 0;
      switch (i % 4) {
        case 0:
          PRAGMA(omp task shared(done)) { block(i), store(&done, 1); }
          PRAGMA(omp taskwait)
          break;
        case 1:
          PRAGMA(omp taskgroup) PRAGMA(omp task shared(done)) { block(i), store(&done, 1); }
          break;
        case 2:
          PRAGMA(omp task shared(done) if (0)) { block(i), store(&done, 1); }
          break;
        case 3:
          PRAGMA(omp task shared(done) depend(out : done)) { block(i), store(&done, 1); }
          PRAGMA(omp task if (0) depend(in : done) shared(done)) CHECK_EQ(load(&done), 1);
          break;
      }
      CHECK_EQ(load(&done), 1);
      add_one(&ended);
    }
  }
  CHECK_EQ(ended, kTasks);
  CHECK_EQ(load(&passed), kTasks);
  pthread_join(other, NULL);
}

static void in_order(void) {
  enum { kChains = 20 };
  int count = kChains;
  int values[kChains] = {0}, sum = 0;
  pthread_t other = start(&count);
  PRAGMA(omp parallel) PRAGMA(omp single) for (int i = 0; i < kChains; i++) {
    PRAGMA(omp task firstprivate(i) shared(values) depend(out : values[i])) {
      block(i);
      values[i] = i;
    }
    for (int reader = 0; reader < 3; reader++) {
      PRAGMA(omp task firstprivate(i) shared(values, sum) depend(in : values[i]))
      __atomic_add_fetch(&sum, values[i], __ATOMIC_RELAXED);
    }
    PRAGMA(omp task firstprivate(i) shared(values) depend(inout : values[i])) values[i] = -i;
  }
  CHECK_EQ(sum, 3 * (kChains * (kChains - 1) / 2));
  for (int i = 0; i < kChains; i++) CHECK_EQ(values[i], -i);
  pthread_join(other, NULL);
}

/* Two tasks hand a ball to each other. On one thread, neither is ever on top of the other. */
static void ping_pong(void) {
  enum { kRounds = 200 };
  static bobbin_blocker ball[2][kRounds];
  memset(ball, 0, sizeof ball);
  int ended = 0;
  PRAGMA(omp parallel) PRAGMA(omp single) for (int player = 0; player < 2; player++) {
    PRAGMA(omp task firstprivate(player) shared(ended)) {
      for (int round = 0; round < kRounds; round++) {
        if (player == 1) bobbin_block(&ball[0][round]);
        bobbin_unblock(&ball[player][round]);
        if (player == 0) bobbin_block(&ball[1][round]);
      }
      add_one(&ended);
    }
  }
  CHECK_EQ(ended, 2);
}

static void implicit_tasks(void) {
  int count = min_int(omp_get_max_threads(), kTasks);
  int tasks = 0;
  pthread_t other = start(&count);
  PRAGMA(omp parallel shared(tasks)) {
    PRAGMA(omp task shared(tasks)) add_one(&tasks);
    if (omp_get_thread_num() < kTasks) block(omp_get_thread_num());
  }
  CHECK_EQ(load(&passed), count);
  CHECK_EQ(tasks, omp_get_max_threads());
  pthread_join(other, NULL);
}

static void nested_regions(void) {
  enum { kOuter = 8 };
  pthread_t other;
  int ended = 0;
  prepare();
  CHECK_EQ(pthread_create(&other, NULL, unblock_in_turn, NULL), 0);
  omp_set_max_active_levels(2);
  PRAGMA(omp parallel num_threads(kOuter)) {
    const int mine = 2 * omp_get_thread_num();
    PRAGMA(omp task firstprivate(mine) shared(ended)) {
      block(mine);
      PRAGMA(omp parallel num_threads(2) shared(ended))
      PRAGMA(omp single) PRAGMA(omp task firstprivate(mine) shared(ended)) {
        block(mine + 1);
        add_one(&ended);
      }
    }
  }
  CHECK(ended > 0);
  CHECK_EQ(load(&passed), 2 * ended);
  pthread_join(other, NULL);
  omp_set_max_active_levels(1);
}

static void unblocked_before(void) {
  prepare();
  for (int i = 0; i < kTasks; i++) bobbin_unblock(&blockers[i]);
  PRAGMA(omp parallel) PRAGMA(omp single) for (int i = 0; i < kTasks; i++) {
    PRAGMA(omp task firstprivate(i)) block(i);
  }
  CHECK_EQ(load(&passed), kTasks);
}

static void outside_of_regions(void) {
  int count = 1;
  pthread_t other = start(&count);
  CHECK_EQ(bobbin_blocks_task(), 0);
  block(0);
  pthread_join(other, NULL);
}

/* Only their maker lets them go on, and it does so when it has made all of them. Another thread has
 * taken a task away from it before, and will take no other. */
static void freed_by_their_maker(void) {
  if (omp_get_max_threads() < 2) return;
  int taken = 0, made = 0;
  prepare();
  PRAGMA(omp parallel num_threads(2)) PRAGMA(omp single) {
    PRAGMA(omp task shared(taken, made)) {
      store(&taken, 1);
      spin_until(&made);
    }
    spin_until(&taken);
    for (int i = 0; i < kTasks; i++) PRAGMA(omp task firstprivate(i)) block(i);
    for (int i = 0; i < kTasks; i++) bobbin_unblock(&blockers[i]);
    store(&made, 1);
  }
  CHECK_EQ(load(&passed), kTasks);
}

/* Each waits for the next one to begin. */
static void very_many(void) {
  enum { kMany = 1500 };
  static bobbin_blocker many[kMany];
  memset(many, 0, sizeof many);
  store(&passed, 0);
  PRAGMA(omp parallel) PRAGMA(omp single) for (int i = 0; i < kMany; i++) {
    PRAGMA(omp task firstprivate(i)) {
      if (i > 0) bobbin_unblock(&many[i - 1]);
      if (i + 1 < kMany) bobbin_block(&many[i]);
      add_one(&passed);
    }
  }
  CHECK_EQ(load(&passed), kMany);
}

static int wanted;

static int poll(void) {
  const int number = load(&wanted);
  int expected = number;
  if (number > 0 &&
      __atomic_compare_exchange_n(&wanted, &expected, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    bobbin_unblock(&blockers[number]);
  }
  return number > 0;
}

/* One task after the other blocks, and a thread finds that out only by polling. So this case ends
 * only if the poller is called while other tasks wait in a loop. */
static void polled(void) {
  prepare();
  bobbin_let_tasks_block(poll);
  PRAGMA(omp parallel) PRAGMA(omp single) for (int i = 1; i < 100; i++) {
    int done = 0;
    PRAGMA(omp task firstprivate(i) shared(done)) {
      store(&wanted, i);
      bobbin_block(&blockers[i]);
      store(&done, 1);
    }
    while (!load(&done)) {
      PRAGMA(omp taskyield)
    }
  }
  bobbin_let_tasks_block(NULL);
}

/* The last task of a region ends with its event, while its block and all other parts of the region
 * have ended and the primary thread sleeps. */
static omp_event_handle_t last_event;
static int event_made, event_waits, looks_of_another;

static void fulfil_it(void) {
  int waits = 1;
  if (__atomic_compare_exchange_n(&event_waits, &waits, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    omp_fulfill_event(last_event);
  }
}

/* If a thread other than the primary one looks, it fulfils the event, but not before the primary
 * thread has stopped looking. */
static int poll_for_event(void) {
  if (!load(&event_waits)) return 0;
  if (omp_get_thread_num() == 0) {
    store(&looks_of_another, 0);
    return 0;
  }
  add_one(&looks_of_another);
  if (load(&looks_of_another) > 300) fulfil_it();
  return 1;
}

/* As a rule nobody else looks, and then this thread fulfils the event, which OpenMP does not know.
 */
static void* fulfil_it_after_a_while(void* unused) {
  spin_until(&event_made);
  usleep(10000);
  fulfil_it();
  return unused;
}

static void event_at_the_end(void) {
  bobbin_let_tasks_block(poll_for_event);
  for (int i = 0; i < 20; i++) {
    pthread_t other;
    omp_event_handle_t event;
    int done = 0;
    store(&event_made, 0);
    CHECK_EQ(pthread_create(&other, NULL, fulfil_it_after_a_while, NULL), 0);
    PRAGMA(omp parallel num_threads(2)) PRAGMA(omp masked) {
      PRAGMA(omp task detach(event) shared(done)) {
        done = 1;
        last_event = event;
        store(&event_waits, 1);
        store(&event_made, 1);
      }
    }
    CHECK_EQ(done, 1);
    CHECK_EQ(load(&event_waits), 0);
    pthread_join(other, NULL);
  }
  bobbin_let_tasks_block(NULL);
}

int main(void) {
  CHECK_BEGIN();
  if (!bobbin_let_tasks_block) {
    fprintf(stderr, "not on Bobbin: there is nothing to test\n");
    return 1;
  }
  bobbin_let_tasks_block(NULL);
  for (int round = 0; round < 3; round++) {
    RUN(implicit_tasks);
    RUN(unblocked_before);
    RUN(outside_of_regions);
    RUN(event_at_the_end);
    if (!kStacksAreExchanged) continue;
    RUN(more_than_threads);
    RUN(until_the_end);
    RUN(within_waits);
    RUN(in_order);
    RUN(ping_pong);
    RUN(nested_regions);
    RUN(freed_by_their_maker);
    RUN(polled);
  }
  if (kStacksAreExchanged) RUN(very_many);
  return check_end();
}
