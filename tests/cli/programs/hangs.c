// SPDX-License-Identifier: Apache-2.0
// Programs that hang, each for a reason that a debugger should find. The word chooses which.
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

omp_lock_t first_lock;
omp_lock_t second_lock;
int shared_value;

static void missed_barrier(int members, int without) {
#pragma omp parallel num_threads(members)
  {
    if (omp_get_thread_num() != without) {
#pragma omp barrier  // line missed
    }
  }
}

static void opposite_locks(void) {
  omp_init_lock(&first_lock);
  omp_init_lock(&second_lock);
#pragma omp parallel num_threads(2)
  {
    const int num = omp_get_thread_num();
    omp_set_lock(num == 0 ? &first_lock : &second_lock);
#pragma omp barrier
    omp_set_lock(num == 0 ? &second_lock : &first_lock);  // line second lock
  }
}

static void lost_event(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event)
    shared_value++;
#pragma omp taskwait  // line taskwait
  }
}

static void chained_to_event(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task depend(out : shared_value) detach(event)
    shared_value++;
    for (int i = 0; i < 3; i++) {
#pragma omp task depend(inout : shared_value)  // line successor task
      shared_value--;                          // line successor
    }
#pragma omp taskwait
  }
}

// All threads are busy, so nobody begins what is queued.
static void queued(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(i)  // line queued task
      shared_value += i;          // line queued
    }
    for (;;) pause();
  } else {
    for (;;) pause();
  }
}

static void taskgroup_end(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
  {
    omp_event_handle_t event;
#pragma omp task detach(event)
    shared_value++;
  }
}

static void nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) missed_barrier(3, 2);
}

__attribute__((noinline)) static void meet(void) {
#pragma omp barrier  // line inside
  shared_value++;
}

// A thread is in the critical section and waits there for a thread that wants to enter it.
static void barrier_in_critical(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp critical(shop)  // line critical
    meet();
  }
}

static void never_ending(void) {
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 1) {
    for (;;) pause();  // line endless
  }
}

// The thread that runs has waited before, at the first barrier.
static void runs_after_barrier(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) usleep(300000);
#pragma omp barrier
    if (omp_get_thread_num() == 1) {
      for (;;) pause();  // line after
    }
#pragma omp barrier
  }
}

int main(int argc, char** argv) {
  const char* which = argc > 1 ? argv[1] : "";
  if (strcmp(which, "barrier") == 0) missed_barrier(4, 2);
  if (strcmp(which, "locks") == 0) opposite_locks();
  if (strcmp(which, "event") == 0) lost_event();
  if (strcmp(which, "chain") == 0) chained_to_event();
  if (strcmp(which, "queued") == 0) queued();
  if (strcmp(which, "taskgroup") == 0) taskgroup_end();
  if (strcmp(which, "nested") == 0) nested();
  if (strcmp(which, "critical") == 0) barrier_in_critical();
  if (strcmp(which, "endless") == 0) never_ending();
  if (strcmp(which, "after") == 0) runs_after_barrier();
  return 0;
}
