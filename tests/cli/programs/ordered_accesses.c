/* SPDX-License-Identifier: Apache-2.0 */
/* One thread writes `value`, and another reads it before and after. Functions that contain nothing
   except one construct (FORM) put the accesses in order. A compiler that takes such a function for
   one that changes no variable reads `value` once only. */
#include <omp.h>
#include <stdio.h>

#ifndef LINKAGE
#define LINKAGE
#endif
#define FUNCTION LINKAGE __attribute__((noinline)) void

#define BARRIER 1
#define FOR 2
#define DYNAMIC_FOR 3
#define SECTIONS 4
#define SINGLE 5
#define CRITICAL 6
#define ATOMIC 7
#define TASKWAIT 8
#define TASKGROUP 9
#define DEPEND 10

LINKAGE int value = 1, turn;

#if FORM == TASKWAIT || FORM == TASKGROUP || FORM == DEPEND
#define TASKS
#elif FORM == CRITICAL || FORM == ATOMIC
#define TURNS
#endif

#if defined(TASKS)
FUNCTION write_value(void) {
#if FORM == TASKGROUP
#pragma omp taskgroup
#pragma omp task
  value = 0;
#else
#pragma omp task depend(out : value)
  value = 0;
#endif
}
FUNCTION await(void) {
#if FORM == TASKWAIT
#pragma omp taskwait
#elif FORM == DEPEND
#pragma omp taskwait depend(in : value)
#endif
}
#elif defined(TURNS)
FUNCTION give_turn(int to) {
#if FORM == CRITICAL
#pragma omp critical
  turn = to;
#else
#pragma omp atomic write seq_cst
  turn = to;
#endif
}
FUNCTION await_turn(int of) {
  int now;
  do {
#if FORM == CRITICAL
#pragma omp critical
    now = turn;
#else
#pragma omp atomic read seq_cst
    now = turn;
#endif
  } while (now != of);
}
#else
FUNCTION meet(void) {
#if FORM == BARRIER
#pragma omp barrier
#elif FORM == FOR || FORM == DYNAMIC_FOR
#if FORM == FOR
#pragma omp for
#else
#pragma omp for schedule(dynamic)
#endif
  for (int i = 0; i < 4; i++);
#elif FORM == SECTIONS
#pragma omp sections
  {
#pragma omp section
    ;
  }
#elif FORM == SINGLE
#pragma omp single
  ;
#endif
}
#endif

int main(void) {
  int before = -1, after = -1;
#if defined(TASKS)
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    before = value;
    write_value();
    await();
    after = value;
  }
#elif defined(TURNS)
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    await_turn(1);
    value = 0;
    give_turn(2);
  } else {
    before = value;
    give_turn(1);
    await_turn(2);
    after = value;
  }
#else
  int first[2], last[2];
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    first[me] = value;
    meet();
    if (me == 0) value = 0;
    meet();
    last[me] = value;
  }
  before = first[1];
  after = last[1];
#endif
  printf("%d %d\n", before, after);
}
