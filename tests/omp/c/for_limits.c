/* SPDX-License-Identifier: Apache-2.0
 * Loops at the limits of their type: counting near the largest and smallest values, steps and
 * chunks whose product overflows, ranges wider than the signed half. */
#include <limits.h>

#include "loops.h"

#define ALL_SCHEDULES(type_name, T)                                  \
  LOOP_BODIES(type_name##_static, T, omp for schedule(static))       \
  LOOP_BODIES(type_name##_static3, T, omp for schedule(static, 3))   \
  LOOP_BODIES(type_name##_dynamic, T, omp for schedule(dynamic))     \
  LOOP_BODIES(type_name##_dynamic9, T, omp for schedule(dynamic, 9)) \
  LOOP_BODIES(type_name##_guided, T, omp for schedule(guided))       \
  LOOP_BODIES(type_name##_guided5, T, omp for schedule(guided, 5))   \
  LOOP_BODIES(type_name##_runtime, T, omp for schedule(runtime))     \
  LOOP_BODIES(type_name##_mono, T, omp for schedule(monotonic : dynamic, 2))

ALL_SCHEDULES(i32, int)
ALL_SCHEDULES(u32, unsigned)
ALL_SCHEDULES(i64, long)
ALL_SCHEDULES(u64, unsigned long long)
ALL_SCHEDULES(i16, short)

#define EXPECT(call, count) \
  do {                      \
    check_case = #call;     \
    loop_reset();           \
    PRAGMA(omp parallel)    \
    call;                   \
    loop_check_once(count); \
  } while (0)

#define EACH(type_name, schedule, direction, low, high, step, count) \
  EXPECT(type_name##_##schedule##_##direction(low, high, step), count)

#define IN_ALL(type_name, direction, low, high, step, count)      \
  do {                                                            \
    EACH(type_name, static, direction, low, high, step, count);   \
    EACH(type_name, static3, direction, low, high, step, count);  \
    EACH(type_name, dynamic, direction, low, high, step, count);  \
    EACH(type_name, dynamic9, direction, low, high, step, count); \
    EACH(type_name, guided, direction, low, high, step, count);   \
    EACH(type_name, guided5, direction, low, high, step, count);  \
    EACH(type_name, runtime, direction, low, high, step, count);  \
    EACH(type_name, mono, direction, low, high, step, count);     \
  } while (0)

static void all(void) {
  IN_ALL(i32, up, INT_MAX - 31, INT_MAX - 1, 1, 30);
  IN_ALL(i32, up_to, INT_MAX - 30001, INT_MAX - 10001, 10000, 3);
  IN_ALL(i32, down, INT_MIN + 40, INT_MIN + 5, 1, 35);
  IN_ALL(u32, up, UINT_MAX - 41, UINT_MAX - 1, 2, 20);
  IN_ALL(u32, up, 5, UINT_MAX - 0x40000000U, 0x20000000U, 6);
  IN_ALL(i64, up, LONG_MAX - 31, LONG_MAX - 1, 1, 30);
  IN_ALL(i64, up_to, LONG_MAX - 30001, LONG_MAX - 10001, 10000, 3);
  IN_ALL(i64, down, LONG_MIN + 30001, LONG_MIN + 10001, 10000, 2);
  IN_ALL(u64, up, ULLONG_MAX - 31, ULLONG_MAX - 1, 1, 30);
  IN_ALL(u64, up_to, ULLONG_MAX - 30001, ULLONG_MAX - 10001, 10000, 3);
  IN_ALL(u64, up, 1, ULLONG_MAX - 0x4000000000000000ULL, 0x2000000000000000ULL, 6);
  IN_ALL(u64, down, ULLONG_MAX, ULLONG_MAX - 64, 4, 16);
  IN_ALL(u64, down, 0xe000000000000000ULL, 3, 0x1000000000000000ULL, 14);
  IN_ALL(i16, up, SHRT_MAX - 21, SHRT_MAX - 1, 4, 5);
}

static const long kChunks[] = {1000, INT_MAX, LONG_MAX / 2, LONG_MAX};

/* Chunks far larger than the loop, up to the type's limit, must not wrap around. (GCC expands
 * static loops inline, and its own arithmetic wraps around.) */
static void huge_chunks(void) {
  for (unsigned c = 0; c < sizeof kChunks / sizeof *kChunks; c++) {
    long chunk = kChunks[c];
    int hits = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, chunk)
      for (long i = LONG_MAX - 50; i < LONG_MAX - 10; i++) add_one(&hits);
#pragma omp for schedule(guided, chunk)
      for (long i = LONG_MIN + 50; i > LONG_MIN + 10; i--) add_one(&hits);
#pragma omp for schedule(dynamic, chunk)
      for (unsigned long long i = ULLONG_MAX - 50; i < ULLONG_MAX - 10; i++) add_one(&hits);
#pragma omp for schedule(guided, chunk)
      for (unsigned long long i = ULLONG_MAX - 50; i < ULLONG_MAX - 10; i++) add_one(&hits);
    }
    CHECK_EQ(hits, 160);
  }
}

#ifdef __clang__
static void huge_static_chunks(void) {
  for (unsigned c = 0; c < sizeof kChunks / sizeof *kChunks; c++) {
    long chunk = kChunks[c];
    int hits = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static, chunk)
      for (long i = LONG_MAX - 50; i < LONG_MAX - 10; i++) add_one(&hits);
#pragma omp for schedule(static, chunk)
      for (long i = LONG_MIN + 50; i > LONG_MIN + 10; i--) add_one(&hits);
#pragma omp for schedule(static, chunk)
      for (unsigned long long i = ULLONG_MAX - 50; i < ULLONG_MAX - 10; i++) add_one(&hits);
    }
    CHECK_EQ(hits, 120);
  }
}

/* One chunk for each thread exceeds the range of the loop variable's type. */
static void large_static_chunks(void) {
  static const int kThreads[] = {96, 128};
  const int count = 1 << 27;
  for (unsigned t = 0; t < sizeof kThreads / sizeof *kThreads; t++) {
    long executed = 0;
    int beyond = 0;
#pragma omp parallel for num_threads(kThreads[t]) schedule(static, count / 4) \
    reduction(+ : executed) reduction(| : beyond)
    for (int i = 0; i < count; i++) {
      executed++;
      beyond |= i < 0;
    }
    CHECK_EQ(executed, count);
    CHECK_EQ(beyond, 0);
  }
}
#endif

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  omp_set_schedule(omp_sched_dynamic, 4);
  RUN(all);
  RUN(huge_chunks);
#ifdef __clang__
  RUN(huge_static_chunks);
  RUN(large_static_chunks);
#endif
  return check_end();
}
