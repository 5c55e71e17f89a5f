/* SPDX-License-Identifier: Apache-2.0
 * detach: a task is complete when its body has ended and its event is fulfilled, by any thread and
 * in any order. */
#include <pthread.h>
#include <sched.h>

#include "check.h"

static void by_itself(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(ran)
    {
      omp_fulfill_event(event);
      add_one(&ran);
    }
  }
  CHECK_EQ(ran, 20);
}

static void by_another_task(void) {
  int ran = 0, done = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(ran)
    add_one(&ran);
#pragma omp task firstprivate(event) shared(done)
    {
      add_one(&done);
      omp_fulfill_event(event);
    }
#pragma omp taskwait
    CHECK_EQ(load(&ran), i + 1);
    CHECK_EQ(load(&done), i + 1);
  }
}

/* In a team of one the program need not reach a scheduling point before the task has run. */
static void in_team_of_one(void) {
  int ran = 0;
  omp_event_handle_t event;
#pragma omp task detach(event) shared(ran)
  add_one(&ran);
  CHECK_EQ(ran, 1);
  omp_fulfill_event(event);

  int after = 0;
  omp_event_handle_t first, second;
#pragma omp task detach(first) depend(out : ran) shared(ran)
  add_one(&ran);
  CHECK_EQ(ran, 2);
#pragma omp task detach(second) depend(in : ran) shared(after)
  after = 1;
  CHECK_EQ(after, 0);
  omp_fulfill_event(first);
  omp_fulfill_event(second);
#pragma omp taskwait
  CHECK_EQ(after, 1);
}

/* Successors wait for the event, not for the body. */
static void with_dependences(void) {
  int value = 0, fulfilled = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : value) shared(value)
    value = i;
#pragma omp task depend(in : value) shared(value, fulfilled) firstprivate(i)
    {
      CHECK_EQ(value, i);
      CHECK_EQ(load(&fulfilled), i + 1);
    }
#pragma omp task firstprivate(event) shared(fulfilled)
    {
      add_one(&fulfilled);
      omp_fulfill_event(event);
    }
#pragma omp taskwait
  }
}

static omp_event_handle_t handed;
static int handed_over, outside_done;

static void* outsider(void* unused) {
  (void)unused;
  spin_until(&handed_over);
  store(&outside_done, 1);
  omp_fulfill_event(handed);
  return NULL;
}

/* A thread unknown to OpenMP fulfils the event while the team waits at the given construct. */
#define FROM_OUTSIDE(name, before, after)                       \
  static void name(void) {                                      \
    pthread_t thread;                                           \
    int body = 0;                                               \
    handed_over = outside_done = 0;                             \
    CHECK_EQ(pthread_create(&thread, NULL, outsider, NULL), 0); \
    PRAGMA(omp parallel shared(body)) {                         \
      PRAGMA(omp single) {                                      \
        PRAGMA(before) {                                        \
          omp_event_handle_t event;                             \
          PRAGMA(omp task detach(event) shared(body))           \
          store(&body, 1);                                      \
          handed = event;                                       \
          store(&handed_over, 1);                               \
          PRAGMA(after)                                         \
        }                                                       \
      }                                                         \
      CHECK(load(&outside_done));                               \
    }                                                           \
    CHECK_EQ(body, 1);                                          \
    pthread_join(thread, NULL);                                 \
  }

FROM_OUTSIDE(while_taskwait, omp critical(unused), omp taskwait)
FROM_OUTSIDE(while_taskgroup, omp taskgroup, omp taskyield)
FROM_OUTSIDE(while_barrier, omp critical(unused), omp taskyield)

/* The thread waits for an event that one of its own tasks is to fulfil, when another event has been
 * fulfilled. It must leave the wait and run that task. */
static void* late_outsider(void* unused) {
  spin_until(&handed_over);
  for (int i = 0; i < 20; i++) sched_yield();
  omp_fulfill_event(handed);
  return unused;
}

static void by_a_task_behind_another_event(void) {
  for (int round = 0; round < 50; round++) {
    pthread_t thread;
    int value = 0, ran = 0;
    omp_event_handle_t awaited;
    handed_over = 0;
    CHECK_EQ(pthread_create(&thread, NULL, late_outsider, NULL), 0);
#pragma omp task detach(awaited) if (0) shared(value, ran)
    {
      omp_event_handle_t event;
#pragma omp task detach(event) depend(out : value) shared(value)
      value = 1;
#pragma omp task depend(in : value) shared(value, ran) firstprivate(awaited)
      {
        ran = value;
        omp_fulfill_event(awaited);
      }
      handed = event;
      store(&handed_over, 1);
    }
    CHECK_EQ(ran, 1);
    pthread_join(thread, NULL);
  }
}

/* The same when that task is a sibling, which the thread may begin because the block has ended. */
static void by_a_sibling_behind_another_event(void) {
  for (int round = 0; round < 50; round++) {
    pthread_t thread;
    int value = 0, ran = 0;
    omp_event_handle_t event, awaited, told;
    handed_over = 0;
    CHECK_EQ(pthread_create(&thread, NULL, late_outsider, NULL), 0);
#pragma omp task detach(event) depend(out : value) shared(value)
    value = 1;
#pragma omp task depend(in : value) shared(value, ran, told)
    {
      ran = value;
      omp_fulfill_event(told);
    }
    handed = event;
#pragma omp task detach(awaited) if (0) shared(told)
    {
      told = awaited;
      store(&handed_over, 1);
    }
    CHECK_EQ(ran, 1);
    pthread_join(thread, NULL);
  }
}

/* Fulfilled before the task's body has begun. */
static void before_the_body(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
    omp_event_handle_t event;
    int gate = 0;
#pragma omp task detach(event) shared(ran, gate) depend(inout : ran)
    add_one(&ran);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_EQ(load(&ran), i + 1);
    (void)gate;
  }
}

/* Outside of regions, by a thread that ends before its task is complete: the runtime must not reuse
 * its record of the thread before that. */
static omp_event_handle_t left_behind;
static int bodies, other_at_work, completed;

static void make_one(void) {
  omp_event_handle_t event;
#pragma omp task detach(event)
  add_one(&bodies);
  left_behind = event;
}

static void* leave_one_behind(void* unused) {
#pragma omp task
  make_one();
  return unused;
}

static void* go_on(void* unused) {
  omp_event_handle_t event;
#pragma omp task detach(event)
  add_one(&bodies);
  store(&other_at_work, 1);
  spin_until(&completed);
  omp_fulfill_event(event);
#pragma omp barrier
  return unused;
}

static void left_by_its_thread(void) {
  pthread_t thread;
  other_at_work = completed = 0;
  CHECK_EQ(pthread_create(&thread, NULL, leave_one_behind, NULL), 0);
  pthread_join(thread, NULL);
  CHECK_EQ(pthread_create(&thread, NULL, go_on, NULL), 0);
  spin_until(&other_at_work);
  omp_fulfill_event(left_behind);
  store(&completed, 1);
  pthread_join(thread, NULL);
  CHECK_EQ(bodies, 2);
}

/* Many events at once, fulfilled in reverse, from every thread. */
static void many(void) {
  enum { kEvents = 60 };
  static omp_event_handle_t events[kEvents];
  int ran = 0, successors = 0, made = 0;
#pragma omp parallel shared(ran, successors, made)
  {
#pragma omp master
    {
      for (int i = 0; i < kEvents; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(out : events[i]) shared(ran)
        add_one(&ran);
        events[i] = event;
#pragma omp task depend(in : events[i]) shared(successors)
        add_one(&successors);
      }
      store(&made, 1);
    }
    spin_until(&made);
#pragma omp for schedule(dynamic) nowait
    for (int i = kEvents - 1; i >= 0; i--) omp_fulfill_event(events[i]);
#pragma omp barrier
    CHECK_EQ(load(&successors), kEvents);
    CHECK_EQ(load(&ran), kEvents);
  }
}

/* While a task waits for its child, a task that it may not begin lies above the child. */
static void hidden_child(void) {
  int value = 0, ran = 0;
  (void)value;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : value)
    {
    }
#pragma omp taskyield
#pragma omp task depend(in : value) shared(ran)
    add_one(&ran);
#pragma omp task firstprivate(event) shared(ran)
    {
      int child = 0;
#pragma omp task shared(ran, child)
      {
        child = 1;
        add_one(&ran);
      }
      omp_fulfill_event(event);
#pragma omp taskwait
      CHECK_EQ(child, 1);
    }
#pragma omp taskwait
  }
  CHECK_EQ(ran, 20);
}

/* Tasks that wait for their own children must not wait for a sibling. Its event is fulfilled later.
 */
static long fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void behind_a_sibling_that_waits(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
    omp_event_handle_t event;
    long sibling = 0, result = 0;
#pragma omp task detach(event) shared(sibling)
    sibling = 1;
#pragma omp task if (i & 1) shared(result)
    result = fib(12);
#pragma omp task if (0) shared(result)
    result = fib(10);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_EQ(sibling, 1);
    CHECK(result == 55 || result == 144);
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(by_itself);
  RUN(in_team_of_one);
  RUN(by_another_task);
  RUN(with_dependences);
  RUN(while_taskwait);
  RUN(while_taskgroup);
  /* GCC 12's own runtime may miss a fulfilment that comes while it enters the barrier. */
  if (on_bobbin()) RUN(while_barrier);
  RUN(by_a_task_behind_another_event);
  if (on_bobbin()) RUN(by_a_sibling_behind_another_event);
  RUN(before_the_body);
  if (on_bobbin()) RUN(left_by_its_thread);
  RUN(many);
  RUN(hidden_child);
  RUN(behind_a_sibling_that_waits);
  return check_end();
}
