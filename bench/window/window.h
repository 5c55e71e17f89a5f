// SPDX-License-Identifier: Apache-2.0
// All threads of a team enter a construct at one time that thread 0 has announced. They do not
// start after a barrier, because the way in which a barrier releases its threads would show in the
// measurement.
#pragma once

#include <math.h>

#include "offsets.h"

// In ticks of the clock of thread 0; NAN where a thread has no stamp.
struct stamps {
  double in, inside, out;
  char rest_of_line[104];
};

static struct stamps stamps[kMostThreads];

// Written by thread 0, except `ready`, which counts the threads that wait for the next entry.
static struct {
  double entry;
  _Atomic long sample;  // published after `entry`
  _Atomic long ready __attribute__((aligned(128)));
} window __attribute__((aligned(128)));

static inline double common_stamp(void) { return common_time(stamp(), omp_get_thread_num()); }
static inline void note_in(void) { stamps[omp_get_thread_num()].in = common_stamp(); }
static inline void note_inside(void) { stamps[omp_get_thread_num()].inside = common_stamp(); }
static inline void note_out(void) { stamps[omp_get_thread_num()].out = common_stamp(); }

// Called by thread 0. When it returns, all other threads have finished the previous sample and wait
// for the next.
static inline void wait_for_others(void) {
  int others = omp_get_num_threads() - 1;
  for (int k = 0; atomic_load_explicit(&window.ready, memory_order_acquire) < others; k++)
    wait_a_little(k);
  atomic_store_explicit(&window.ready, 0, memory_order_relaxed);
}

static inline void announce(long sample, double lead_ticks) {
  window.entry = (double)stamp() + lead_ticks;
  atomic_store_explicit(&window.sample, sample, memory_order_release);
}

static inline void wait_for_announcement(long sample) {
  atomic_fetch_add_explicit(&window.ready, 1, memory_order_release);
  for (int k = 0; atomic_load_explicit(&window.sample, memory_order_acquire) != sample; k++)
    wait_a_little(k);
}

// Threads without a processor of their own must let others run. They enter late, and their stamps
// show it.
static inline void wait_for_entry(void) {
  int crowded = omp_get_num_threads() > omp_get_num_procs();
  stamps[omp_get_thread_num()].inside = NAN;
  while (common_stamp() < window.entry)
    if (crowded) sched_yield();
}
