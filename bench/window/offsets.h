// SPDX-License-Identifier: Apache-2.0
// The offset of each thread's clock from that of thread 0, found as network clocks are set: thread
// 0 asks and the other thread answers with its time, over one cache line. The quickest of many
// exchanges tells most, because its answer was given near the middle.
#pragma once

#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

#include "clock.h"
#include "common.h"

enum { kMostThreads = 1024 };

struct offset {
  double ticks;  // to subtract from the thread's stamps
  double error;  // largest possible error of `ticks`, in ticks
  char rest_of_line[112];
};

static struct offset offsets[kMostThreads];

static struct {
  _Atomic long question;
  _Atomic long answer;
  int64_t time;  // time of the answer, written before it
} __attribute__((aligned(128))) line;

// The other thread may need this processor to make progress.
static inline void wait_a_little(int turn) {
  if (turn % 256 == 255) sched_yield();
}

static inline void ask(struct offset* offset, int exchanges) {
  int64_t quickest = INT64_MAX;
  long base = atomic_load(&line.question);
  for (int i = 1; i <= exchanges; i++) {
    int64_t asked = stamp();
    atomic_store_explicit(&line.question, base + i, memory_order_release);
    for (int k = 0; atomic_load_explicit(&line.answer, memory_order_acquire) != base + i; k++)
      wait_a_little(k);
    int64_t back = stamp();
    if (back - asked >= quickest) continue;
    quickest = back - asked;
    offset->ticks = (double)line.time - (double)asked - 0.5 * (double)(back - asked);
    offset->error = 0.5 * (double)quickest;
  }
  // An offset that the exchanges cannot distinguish from zero is taken for zero. Where threads
  // share a processor even the quickest exchange takes microseconds, and a guess within that time
  // would only blur the stamps.
  if (fabs(offset->ticks) <= offset->error) offset->ticks = 0;
}

static inline void answer(long base, int exchanges) {
  for (int i = 1; i <= exchanges; i++) {
    for (int k = 0; atomic_load_explicit(&line.question, memory_order_acquire) != base + i; k++)
      wait_a_little(k);
    line.time = stamp();
    atomic_store_explicit(&line.answer, base + i, memory_order_release);
  }
}

// Every thread of a team calls this. `settle` is work that takes long enough for the kernel to
// spread new threads over the processors.
static inline void measure_offsets(int exchanges, long settle) {
  int me = omp_get_thread_num(), threads = omp_get_num_threads();
  work_turns(settle);
#pragma omp barrier
  for (int other = 1; other < threads; other++) {
    // Rounds are numbered consecutively, so the base is the same for both threads.
    long base = (long)(other - 1) * exchanges;
    if (me == 0) ask(&offsets[other], exchanges);
    if (me == other) answer(base, exchanges);
#pragma omp barrier
  }
}

// The thread's stamp in the clock of thread 0.
static inline double common_time(int64_t ticks, int thread) {
  return (double)ticks - offsets[thread].ticks;
}
