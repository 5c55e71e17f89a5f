/* SPDX-License-Identifier: Apache-2.0
 * Cancellation of loops, sections, parallel regions and taskgroups, and cancellation points. Run
 * with OMP_CANCELLATION=true. Without it nothing may be cancelled, and that is checked as well. */
#include <sched.h>

#include <malloc.h>

#include "check.h"

enum { kCount = 4000 };

static int active(void) { return omp_get_cancellation(); }

/* No iteration starts after the cancellation was seen, and the threads meet again after the
 * loop. */
#define CANCEL_FOR(name, clause, T)                          \
  static void name(void) {                                   \
    int started = 0, after = 0, cancelled = 0;               \
    PRAGMA(omp parallel shared(started, after, cancelled)) { \
      PRAGMA(omp for schedule clause)                        \
      for (T i = 0; i < kCount; i++) {                       \
        if (i % 97 == 11) {                                  \
          store(&cancelled, 1);                              \
          PRAGMA(omp cancel for)                             \
        }                                                    \
        int known = load(&cancelled);                        \
        PRAGMA(omp cancellation point for)                   \
        add_one(&started);                                   \
        (void)known;                                         \
      }                                                      \
      add_one(&after);                                       \
      PRAGMA(omp barrier)                                    \
      CHECK_EQ(load(&after), omp_get_num_threads());         \
    }                                                        \
    if (active()) CHECK(started < kCount);                   \
    if (!active()) CHECK_EQ(started, kCount);                \
    CHECK_EQ(after, omp_get_max_threads());                  \
  }

CANCEL_FOR(cancel_static, (static), int)
CANCEL_FOR(cancel_static_chunk, (static, 5), int)
CANCEL_FOR(cancel_dynamic, (dynamic), int)
CANCEL_FOR(cancel_guided, (guided), long)
CANCEL_FOR(cancel_runtime, (runtime), int)
CANCEL_FOR(cancel_ull, (dynamic, 3), unsigned long long)
CANCEL_FOR(cancel_ull_static, (static), unsigned long long)

/* One thread cancels the loop in its iteration 10, so it executes exactly the iterations before. */
static void cancel_alone(void) {
  int started = 0;
#pragma omp parallel num_threads(1)
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 100; i++) {
    if (i == 10) {
#pragma omp cancel for
    }
    started++;
  }
  CHECK_EQ(started, active() ? 10 : 100);
}

static void if_clause(void) {
  int started = 0;
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 100; i++) {
#pragma omp cancel for if (i < 0)
    add_one(&started);
  }
  CHECK_EQ(started, 100);
}

/* The next loop of the same team is complete again. */
static void loop_after_cancelled_loop(void) {
  int count = 0;
#pragma omp parallel
  for (int round = 0; round < 4; round++) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 50; i++) {
#pragma omp cancel for
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 50; i++) {
#pragma omp cancellation point for
      add_one(&count);
    }
  }
  CHECK_EQ(count, 200);
}

/* The same for a next loop that may itself be cancelled, whatever barrier ends the first one. */
static void loop_after_cancelled_static_loop(void) {
  int count = 0, sum = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 50; i++) {
#pragma omp cancel for
    }
#pragma omp for
    for (int i = 0; i < 50; i++) {
#pragma omp cancel for if (i < 0)
#pragma omp cancellation point for
      add_one(&count);
    }
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 50; i++) {
#pragma omp cancel for if (i < 0)
#pragma omp cancellation point for
      sum++;
    }
  }
  CHECK_EQ(count, 50);
  CHECK_EQ(sum, 50);
}

static void cancel_sections(void) {
  int ran = 0, after = 0;
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
        add_one(&ran);
      }
#pragma omp section
      {
#pragma omp cancellation point sections
        while (active()) {
          sched_yield();
#pragma omp cancellation point sections
        }
        add_one(&ran);
      }
#pragma omp section
      {
#pragma omp cancel sections
        add_one(&ran);
      }
    }
    add_one(&after);
  }
  CHECK_EQ(ran, active() ? 0 : 3);
  CHECK_EQ(after, omp_get_max_threads());
}

/* One thread cancels the region while the others wait at a barrier or poll. */
static void cancel_parallel(void) {
  for (int round = 0; round < 10; round++) {
    int passed = 0, polled = 0, sections = 0;
#pragma omp parallel shared(passed, polled, sections)
    {
      int me = omp_get_thread_num(), n = omp_get_num_threads();
      /* The barriers at the end of these are also cancellation points of the region. */
#pragma omp sections
      {
#pragma omp section
        add_one(&sections);
#pragma omp section
        add_one(&sections);
      }
      CHECK(load(&sections) >= 2);
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 8; i++) add_one(&sections);
      CHECK_EQ(load(&sections), 10);
      if (me == n - 1) {
#pragma omp cancel parallel
      } else if (me % 2 == 1) {
        while (active()) {
          sched_yield();
#pragma omp cancellation point parallel
        }
        add_one(&polled);
      }
#pragma omp barrier
      add_one(&passed);
    }
    if (active()) {
      CHECK_EQ(passed, 0);
      CHECK_EQ(polled, 0);
    } else {
      CHECK_EQ(passed, omp_get_max_threads());
    }
  }
  int n = 0;
#pragma omp parallel
  {
#pragma omp barrier
    add_one(&n);
#pragma omp barrier
    CHECK_EQ(load(&n), omp_get_num_threads());
  }
}

/* gcc's code copies from the stack of the thread that has executed a single region without telling
 * the runtime. So that thread must stay. Clang's code, and translated code, tells the runtime which
 * thread is late. */
#if defined(__clang__) || defined(TRANSLATED)
enum { kStays = 0 };
#else
enum { kStays = 1 };
#endif

/* The region is cancelled while one thread executes a single construct and others wait for the
 * value that it provides. They get the value, unless they come too late. None of them executes the
 * construct again. */
static void cancel_during_single(void) {
#if defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
  return; /* for which the memory ends with the construct, whoever stays */
#endif
  enum { kLate = -1 };
  for (int round = 0; round < 20; round++) {
    int executed = 0, begun = 0, cancelling = 0, passed = 0;
#pragma omp parallel shared(executed, begun, cancelling, passed)
    {
      int value = kLate, mine = 0, n = omp_get_num_threads();
      int interrupted = active() && n > 1;
      if (interrupted && omp_get_thread_num() == n - 1) {
        spin_until(&begun);
        store(&cancelling, 1);
#pragma omp cancel parallel
      }
#pragma omp single copyprivate(value)
      {
        mine = add_one(&executed);
        store(&begun, 1);
        if (interrupted) spin_until(&cancelling);
        for (int i = 0; i < 50; i++) sched_yield();
        value = round;
      }
      CHECK(value == round || (interrupted && !kStays && value == kLate));
      add_one(&passed);
      while (interrupted && kStays && mine && load(&passed) < n - 1) sched_yield();
    }
    CHECK_EQ(executed, 1);
  }
}

/* The thread that cancels does not reach the loop, where others sleep until it has done its
 * part. */
static void cancel_beside_doacross(void) {
  for (int round = 0; round < 5; round++) {
    int sum = 0;
#pragma omp parallel shared(sum)
    {
      int n = omp_get_num_threads();
      if (active() && n > 1 && omp_get_thread_num() == n - 1) {
        for (int i = 0; i < 500; i++) sched_yield();
#pragma omp cancel parallel
      }
#pragma omp for ordered(1) schedule(static, 1)
      for (int i = 0; i < 2 * n; i++) {
#pragma omp ordered depend(sink : i - 1)
        add_one(&sum);
#pragma omp ordered depend(source)
      }
    }
    if (!active()) CHECK_EQ(sum, 2 * omp_get_max_threads());
  }
}

/* The last action of a region is a cancellation; also with a team of one. */
static void cancel_at_the_end(void) {
  int after = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 20; i++) sched_yield();
#pragma omp cancel parallel
    add_one(&after);
  }
  CHECK_EQ(after, active() ? 0 : omp_get_max_threads());
#pragma omp parallel num_threads(1)
  {
#pragma omp cancel parallel
    add_one(&after);
  }
  CHECK_EQ(after, active() ? 0 : omp_get_max_threads() + 1);
}

/* A cancelled loop with a reduction and lastprivate still ends with a meeting of all threads. */
static void cancel_reduction(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp for reduction(+ : sum) schedule(static, 1)
  for (int i = 0; i < 500; i++) {
#pragma omp cancellation point for
    if (i == 250) {
#pragma omp cancel for
    }
    sum += 1;
  }
  if (!active()) CHECK_EQ(sum, 500);
}

enum { kSums = 64 };
static long sums[kSums];

static void reduce_in_tasks(int count) {
#pragma omp for reduction(task, + : sums) schedule(dynamic)
  for (int i = 0; i < count; i++) {
#pragma omp task in_reduction(+ : sums)
    for (int k = 0; k < kSums; k++) {
      sums[k]++;
      if (k % 16 == 0) sched_yield();
    }
  }
}

/* Threads continue to the region's end while tasks of other threads use copies that they made. */
static void cancel_task_reduction(void) {
  int rounds = 20;
  memset(sums, 0, sizeof sums);
  for (int round = 0; round < rounds; round++) {
#pragma omp parallel
    {
      if (omp_get_thread_num() == round % omp_get_num_threads()) {
#pragma omp cancel parallel
      }
      reduce_in_tasks(50);
      reduce_in_tasks(20);
    }
  }
  if (!active()) {
    for (int k = 0; k < kSums; k++) CHECK_EQ(sums[k], 70 * rounds);
  }
}

/* In code of LLVM's compilers, a cancelled thread does not reach the end of the reduction. */
static void cancelled_reductions(int regions) {
  for (int region = 0; region < regions; region++) {
    int sum = 0;
#pragma omp parallel reduction(task, + : sum)
    {
#pragma omp task in_reduction(+ : sum)
      sum++;
      if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
      }
#pragma omp cancellation point parallel
    }
  }
}

static void cancel_gives_memory_back(void) {
  int regions = repeats(20000);
  /* Fills the lists of free memory that each worker keeps. */
  cancelled_reductions(regions);
  size_t before = mallinfo2().uordblks;
  cancelled_reductions(regions);
  size_t after = mallinfo2().uordblks;
  CHECK(after < before + (1 << 20));
}

/* Tasks that have not begun may be dropped with their region; the region ends all the same. */
static void cancel_with_tasks(void) {
  int ran = 0, value = 0, each = 20;
#pragma omp parallel shared(ran, value)
  {
    for (int i = 0; i < each; i++) {
#pragma omp task shared(ran)
      add_one(&ran);
#pragma omp task shared(ran, value) depend(inout : value)
      add_one(&ran);
    }
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
#pragma omp barrier
  }
  CHECK(ran <= 2 * each * omp_get_max_threads());
  if (!active()) CHECK_EQ(ran, 2 * each * omp_get_max_threads());
  CHECK_EQ(value, 0);
}

static void cancel_inner_team(void) {
  int outer = min_int(omp_get_max_threads(), 4), passed = 0, inner_passed = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer) shared(passed, inner_passed)
  {
#pragma omp parallel num_threads(2) shared(inner_passed)
    {
      if (omp_get_thread_num() == 1) {
#pragma omp cancel parallel
      }
#pragma omp barrier
      add_one(&inner_passed);
    }
#pragma omp barrier
    add_one(&passed);
  }
  CHECK_EQ(passed, outer);
  CHECK_EQ(inner_passed, active() ? 0 : 2 * outer);
}

static void cancel_taskgroup(void) {
  int ran = 0, outside = 0, many = 300;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(outside)
    add_one(&outside);
#pragma omp taskgroup
    {
      for (int i = 0; i < many; i++) {
#pragma omp task shared(ran) firstprivate(i)
        {
#pragma omp cancellation point taskgroup
          if (i == 5) {
#pragma omp cancel taskgroup
          }
          add_one(&ran);
#pragma omp task shared(ran)
          {
#pragma omp cancellation point taskgroup
            add_one(&ran);
          }
        }
      }
    }
    if (!active()) CHECK_EQ(ran, 2 * many);
    if (active()) CHECK(ran < 2 * many);
    ran = 0;
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(ran)
      add_one(&ran);
    }
    CHECK_EQ(ran, 20);
  }
  CHECK_EQ(outside, 1);
}

/* Tasks that wait for a dependence are discarded with their group. The wait still ends. */
static void cancel_dependent_tasks(void) {
  int chain = 0, ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : chain) shared(ran, chain) firstprivate(i)
      {
        if (i == 10) {
#pragma omp cancel taskgroup
        }
        CHECK_EQ(chain++, i);
        add_one(&ran);
      }
    }
  }
  CHECK_EQ(ran, active() ? 10 : 100);
}

/* Tasks that would have fulfilled their own event are discarded, and so complete. The events of
 * other tasks are fulfilled later nevertheless. */
static void cancel_detachable(void) {
  enum { kTasks = 10 };
  omp_event_handle_t later[kTasks];
  int own = 0, others = 0, made = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      int chain = 0;
#pragma omp task depend(out : chain)
      {
#pragma omp cancel taskgroup
      }
      for (int i = 0; i < kTasks; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) depend(inout : chain) shared(own)
        {
          add_one(&own);
          omp_fulfill_event(event);
        }
      }
    }
#pragma omp taskgroup
    {
      int chain = 0;
#pragma omp task depend(out : chain)
      {
#pragma omp cancel taskgroup
      }
      for (int i = 0; i < kTasks; i++) {
        omp_event_handle_t event = 0;
#pragma omp task detach(event) depend(inout : chain) shared(others)
        add_one(&others);
        later[i] = event;
        made += event != 0;
        if (!active()) omp_fulfill_event(event);
      }
    }
  }
  for (int i = 0; active() && i < made; i++) omp_fulfill_event(later[i]);
  CHECK_EQ(own, active() ? 0 : kTasks);
  CHECK_EQ(others, active() ? 0 : kTasks);
}

/* A construct in a cancelled region also discards its task, but its event exists. */
static void make_detachable_when_cancelled(void) {
  int own = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
#pragma omp task shared(own)
  {
#pragma omp task if (0)
    {
#pragma omp cancel taskgroup
    }
    omp_event_handle_t event = 0;
#pragma omp task detach(event) shared(own)
    add_one(&own);
    CHECK(event != 0);
    if (event != 0) omp_fulfill_event(event);
  }
  CHECK_EQ(own, active() ? 0 : 1);
}

/* An undeferred task has waited for the task that cancels it. Code of clang executes it without
 * asking. */
static void cancel_undeferred(void) {
  int plain = 0, detachable = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
#pragma omp taskgroup
    {
      int chain = 0;
      omp_event_handle_t event = 0;
#pragma omp task depend(out : chain)
      {
        sched_yield();
#pragma omp cancel taskgroup
      }
#pragma omp task if (0) depend(in : chain) shared(plain)
      add_one(&plain);
#pragma omp task if (0) depend(in : chain) detach(event) shared(detachable)
      {
        add_one(&detachable);
        omp_fulfill_event(event);
      }
    }
  }
#ifndef __clang__
  CHECK_EQ(plain, active() ? 0 : 20);
  CHECK_EQ(detachable, active() ? 0 : 20);
#endif
}

static void cancel_taskloop(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) shared(ran)
  for (int i = 0; i < 300; i++) {
#pragma omp cancellation point taskgroup
    if (i == 0) {
#pragma omp cancel taskgroup
    }
    add_one(&ran);
  }
  if (active()) CHECK(ran < 300);
  if (!active()) CHECK_EQ(ran, 300);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  omp_set_schedule(omp_sched_guided, 4);
  RUN(cancel_static);
  RUN(cancel_static_chunk);
  RUN(cancel_dynamic);
  RUN(cancel_guided);
  RUN(cancel_runtime);
  RUN(cancel_ull);
  RUN(cancel_ull_static);
  RUN(cancel_alone);
  RUN(if_clause);
  RUN(loop_after_cancelled_loop);
  RUN(loop_after_cancelled_static_loop);
  RUN(cancel_sections);
  RUN(cancel_parallel);
  RUN(cancel_during_single);
  RUN(cancel_beside_doacross);
  RUN(cancel_at_the_end);
  RUN(cancel_reduction);
  RUN(cancel_task_reduction);
  if (on_bobbin()) RUN(cancel_gives_memory_back);
  RUN(cancel_with_tasks);
  RUN(cancel_inner_team);
  RUN(cancel_taskgroup);
  RUN(cancel_dependent_tasks);
  RUN(cancel_detachable);
  RUN(make_detachable_when_cancelled);
  if (on_bobbin()) RUN(cancel_undeferred);
  RUN(cancel_taskloop);
  return check_end();
}
