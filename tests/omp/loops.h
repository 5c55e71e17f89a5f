/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops over (low, high, step) in every form: LOOP_COMBINED makes `parallel for` functions,
 * LOOP_SPLIT orphaned `for` functions. Each records which thread ran which iteration, and the
 * checks below compare that with the promises of the schedule. */
#pragma once

#include "check.h"

enum { kMaxIterations = 4096 };

static int loop_hits[kMaxIterations];   /* how often iteration k ran */
static int loop_owner[kMaxIterations];  /* the thread that ran it */
static int loop_serial[kMaxIterations]; /* its place among the iterations of that thread */

static inline int* loop_progress(void) {
  static __thread int progress;
  return &progress;
}

static inline void loop_record(unsigned long long k) {
  if (k >= kMaxIterations) {
    check_report_values(__FILE__, __LINE__, "iteration number", (long long)k, kMaxIterations);
    return;
  }
  add_one(&loop_hits[k]);
  loop_owner[k] = omp_get_thread_num();
  loop_serial[k] = (*loop_progress())++;
}

static inline void loop_reset(void) {
  memset(loop_hits, 0, sizeof loop_hits);
  memset(loop_owner, -1, sizeof loop_owner);
}

/* Every iteration ran once, and none beyond the loop. */
static inline void loop_check_once(unsigned long long count) {
  for (unsigned long long k = 0; k < kMaxIterations; k++) CHECK_EQ(loop_hits[k], k < count);
}

/* At most one piece per thread, and pieces of nearly equal size. */
static inline void loop_check_static(int count, int threads) {
  int share[1024] = {0}, last = -1;
  for (int k = 0; k < count; k++) {
    int owner = loop_owner[k];
    if (owner < 0 || owner >= threads) {
      CHECK_EQ(owner, threads);
      return;
    }
    if (k > 0 && owner != last) CHECK_EQ(share[owner], 0);
    share[owner]++;
    last = owner;
  }
  for (int t = 0; t < threads; t++) CHECK(share[t] <= (count + threads - 1) / threads);
}

/* Chunk number q belongs to thread q mod n. */
static inline void loop_check_static_chunk(int count, int chunk, int threads) {
  for (int k = 0; k < count; k++) CHECK_EQ(loop_owner[k], k / chunk % threads);
}

/* One thread runs a chunk, in order. */
static inline void loop_check_chunks(int count, int chunk) {
  for (int k = 0; k < count; k++) {
    if (k % chunk == 0) continue;
    CHECK_EQ(loop_owner[k], loop_owner[k - 1]);
    CHECK_EQ(loop_serial[k], loop_serial[k - 1] + 1);
  }
}

/* Each thread's iterations come in increasing order. */
static inline void loop_check_monotonic(int count) {
  int last[1024];
  memset(last, -1, sizeof last);
  for (int k = 0; k < count; k++) {
    int owner = loop_owner[k];
    CHECK(owner >= 0 && owner < 1024);
    if (owner < 0 || owner >= 1024) return;
    CHECK(loop_serial[k] > last[owner]);
    last[owner] = loop_serial[k];
  }
}

/* Bodies count from the first iteration, in the loop's own arithmetic. */
#define LOOP_BODIES(name, T, pragma)                                                             \
  static void name##_up(T low, T high, T step) {                                                 \
    PRAGMA(pragma)                                                                               \
    for (T i = low; i < high; i += step)                                                         \
      loop_record(((unsigned long long)i - (unsigned long long)low) / (unsigned long long)step); \
  }                                                                                              \
  static void name##_down(T low, T high, T step) {                                               \
    PRAGMA(pragma)                                                                               \
    for (T i = low; i > high; i -= step)                                                         \
      loop_record(((unsigned long long)low - (unsigned long long)i) / (unsigned long long)step); \
  }                                                                                              \
  static void name##_up_to(T low, T high, T step) {                                              \
    PRAGMA(pragma)                                                                               \
    for (T i = low; i <= high; i += step)                                                        \
      loop_record(((unsigned long long)i - (unsigned long long)low) / (unsigned long long)step); \
  }
