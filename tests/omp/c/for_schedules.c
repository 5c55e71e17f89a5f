/* SPDX-License-Identifier: Apache-2.0
 * for: the promises of each schedule about which thread runs which iteration, for int and unsigned
 * long long loops, combined with parallel and orphaned, with chunks. */
#include "loops.h"

#define BOTH(name, clause)                                                      \
  LOOP_BODIES(int_##name, int, omp parallel for schedule clause)                \
  LOOP_BODIES(ull_##name, unsigned long long, omp parallel for schedule clause) \
  LOOP_BODIES(split_int_##name, int, omp for schedule clause)                   \
  LOOP_BODIES(split_ull_##name, unsigned long long, omp for schedule clause)

static int chunk_size = 1;

BOTH(static, (static))
BOTH(static_chunk, (static, chunk_size))
BOTH(dynamic, (dynamic))
BOTH(dynamic_chunk, (dynamic, chunk_size))
BOTH(guided, (guided))
BOTH(guided_chunk, (guided, chunk_size))
BOTH(auto, (auto))
BOTH(mono_static, (monotonic : static, chunk_size))
BOTH(mono_dynamic, (monotonic : dynamic, chunk_size))
BOTH(mono_guided, (monotonic : guided, chunk_size))
BOTH(nonmono_dynamic, (nonmonotonic : dynamic, chunk_size))
BOTH(nonmono_guided, (nonmonotonic : guided, chunk_size))
BOTH(nonmono_static, (nonmonotonic : static, chunk_size))
BOTH(simd_static, (simd : static, chunk_size))

enum Promise { kNone = 0, kStatic = 1, kRoundRobin = 2, kChunks = 4, kMonotonic = 8 };

static void verify(int count, int promise) {
  int threads = omp_get_max_threads();
  loop_check_once(count);
  if (promise & kStatic) loop_check_static(count, threads);
  if (promise & kRoundRobin) loop_check_static_chunk(count, chunk_size, threads);
  if (promise & kChunks) loop_check_chunks(count, chunk_size);
  if (promise & kMonotonic) loop_check_monotonic(count);
}

typedef void (*IntLoop)(int, int, int);
typedef void (*UllLoop)(unsigned long long, unsigned long long, unsigned long long);

static void check_int(IntLoop up, IntLoop down, IntLoop up_to, int split, int promise) {
  static const int kCounts[] = {0, 7, 300};
  for (unsigned c = 0; c < sizeof kCounts / sizeof *kCounts; c++) {
    int count = kCounts[c], step = 3;
    loop_reset();
    if (split) {
#pragma omp parallel
      up(-20, -20 + count * step - (count > 0), step);
    } else {
      up(-20, -20 + count * step - (count > 0), step);
    }
    verify(count, promise);
    loop_reset();
    if (split) {
#pragma omp parallel
      down(5, 5 - count, 1);
    } else {
      down(5, 5 - count, 1);
    }
    verify(count, promise);
  }
  loop_reset();
  if (split) {
#pragma omp parallel
    up_to(10, 59, 1);
  } else {
    up_to(10, 59, 1);
  }
  verify(50, promise);
}

static void check_ull(UllLoop up, UllLoop down, UllLoop up_to, int split, int promise) {
  const unsigned long long base = 1ULL << 63;
  loop_reset();
  if (split) {
#pragma omp parallel
    {
      up(base - 30, base + 170, 2);
    }
  } else {
    up(base - 30, base + 170, 2);
  }
  verify(100, promise);
  loop_reset();
  if (split) {
#pragma omp parallel
    down(base + 10, base - 90, 1);
  } else {
    down(base + 10, base - 90, 1);
  }
  verify(100, promise);
  loop_reset();
  if (split) {
#pragma omp parallel
    {
      up(7, 7, 5);
      up(9, 3, 1);
    }
  } else {
    up(7, 7, 5);
    up(9, 3, 1);
  }
  verify(0, promise);
  loop_reset();
  if (split) {
#pragma omp parallel
    up_to(base - 1, base + 39, 10);
  } else {
    up_to(base - 1, base + 39, 10);
  }
  verify(5, promise);
}

#define CHECK_SCHEDULE(name, promise)                                                      \
  do {                                                                                     \
    check_case = #name;                                                                    \
    check_int(int_##name##_up, int_##name##_down, int_##name##_up_to, 0, promise);         \
    check_ull(ull_##name##_up, ull_##name##_down, ull_##name##_up_to, 0, promise);         \
    check_case = "split " #name;                                                           \
    check_int(split_int_##name##_up, split_int_##name##_down, split_int_##name##_up_to, 1, \
              promise);                                                                    \
    check_ull(split_ull_##name##_up, split_ull_##name##_down, split_ull_##name##_up_to, 1, \
              promise);                                                                    \
  } while (0)

/* The same static schedule over the same count gives the same threads the same iterations. */
static void static_is_repeatable(void) {
  int n = 500, *first = calloc(n, sizeof *first), *second = calloc(n, sizeof *second);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) first[i] = omp_get_thread_num();
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) second[i] = omp_get_thread_num();
  }
  for (int i = 0; i < n; i++) CHECK_EQ(first[i], second[i]);
  free(first);
  free(second);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  CHECK_SCHEDULE(static, kStatic | kMonotonic);
  CHECK_SCHEDULE(dynamic, kNone);
  CHECK_SCHEDULE(guided, kNone);
  CHECK_SCHEDULE(auto, kNone);
  static const int kChunkSizes[] = {1, 4};
  for (unsigned c = 0; c < sizeof kChunkSizes / sizeof *kChunkSizes; c++) {
    chunk_size = kChunkSizes[c];
    CHECK_SCHEDULE(static_chunk, kRoundRobin | kMonotonic | kChunks);
    CHECK_SCHEDULE(dynamic_chunk, kChunks);
    CHECK_SCHEDULE(guided_chunk, kNone);
    CHECK_SCHEDULE(nonmono_dynamic, kChunks);
    if (chunk_size != 4) continue;
    CHECK_SCHEDULE(mono_static, kRoundRobin | kMonotonic | kChunks);
    CHECK_SCHEDULE(mono_dynamic, kChunks | kMonotonic);
    CHECK_SCHEDULE(mono_guided, kMonotonic);
    CHECK_SCHEDULE(nonmono_guided, kNone);
    CHECK_SCHEDULE(nonmono_static, kRoundRobin);
    CHECK_SCHEDULE(simd_static, kNone);
  }
  RUN(static_is_repeatable);
  return check_end();
}
