/* SPDX-License-Identifier: Apache-2.0
 * ordered(n): an iteration starts its second half only after the iterations that it names have
 * posted. Every schedule, one to three dimensions, signed and unsigned long long. */
#include "check.h"

enum { kCount = 40, kRows = 7, kColumns = 6, kDeep = 3 };

/* Not a constant: with known bounds compilers count such loops in signed arithmetic. */
static volatile unsigned long long unsigned_base = 1ULL << 63;

static int done[kCount + kRows * kColumns * kDeep];

#define DOACROSS(name, clause)                                                \
  static void line_##name(void) {                                             \
    memset(done, 0, sizeof done);                                             \
    PRAGMA(omp parallel for ordered(1) schedule clause)                       \
    for (int i = 0; i < kCount; i++) {                                        \
      PRAGMA(omp ordered depend(sink : i - 1) depend(sink : i - 5))           \
      if (i >= 1) CHECK(load(&done[i - 1]));                                  \
      if (i >= 5) CHECK(load(&done[i - 5]));                                  \
      store(&done[i], 1);                                                     \
      PRAGMA(omp ordered depend(source))                                      \
    }                                                                         \
    for (int i = 0; i < kCount; i++) CHECK(done[i]);                          \
  }                                                                           \
  static void ull_##name(void) {                                              \
    unsigned long long base = unsigned_base;                                  \
    memset(done, 0, sizeof done);                                             \
    PRAGMA(omp parallel) {                                                    \
      PRAGMA(omp for ordered(1) schedule clause)                              \
      for (unsigned long long i = base; i < base + kCount; i++) {             \
        PRAGMA(omp ordered depend(sink : i - 2))                              \
        if (i >= base + 2) CHECK(load(&done[i - base - 2]));                  \
        store(&done[i - base], 1);                                            \
        PRAGMA(omp ordered depend(source))                                    \
      }                                                                       \
    }                                                                         \
    for (int i = 0; i < kCount; i++) CHECK(done[i]);                          \
  }                                                                           \
  static void plane_##name(void) {                                            \
    memset(done, 0, sizeof done);                                             \
    PRAGMA(omp parallel) {                                                    \
      PRAGMA(omp for ordered(2) schedule clause)                              \
      for (long i = 0; i < kRows; i++)                                        \
        for (long j = 0; j < kColumns; j++) {                                 \
          PRAGMA(omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)) \
          if (i > 0) CHECK(load(&done[(i - 1) * kColumns + j]));              \
          if (j > 0) CHECK(load(&done[i * kColumns + j - 1]));                \
          store(&done[i * kColumns + j], 1);                                  \
          PRAGMA(omp ordered depend(source))                                  \
        }                                                                     \
    }                                                                         \
    for (int i = 0; i < kRows * kColumns; i++) CHECK(done[i]);                \
  }

DOACROSS(static, (static))
DOACROSS(static_chunk, (static, 2))
DOACROSS(dynamic, (dynamic))
DOACROSS(dynamic_chunk, (dynamic, 3))
DOACROSS(guided, (guided))
DOACROSS(guided_chunk, (guided, 2))
DOACROSS(auto, (auto))
DOACROSS(runtime, (runtime))

#define ALL(name)      \
  do {                 \
    RUN(line_##name);  \
    RUN(ull_##name);   \
    RUN(plane_##name); \
  } while (0)

/* Backwards, with a step. The sink is the previous iteration in the loop's order. */
static void backwards(void) {
  memset(done, 0, sizeof done);
#pragma omp parallel for ordered(1) schedule(dynamic)
  for (int i = 3 * (kCount - 1); i >= 0; i -= 3) {
#pragma omp ordered depend(sink : i + 3)
    if (i / 3 < kCount - 1) CHECK(load(&done[i / 3 + 1]));
    store(&done[i / 3], 1);
#pragma omp ordered depend(source)
  }
  for (int i = 0; i < kCount; i++) CHECK(done[i]);
}

static void three_deep(void) {
  memset(done, 0, sizeof done);
#pragma omp parallel for collapse(2) ordered(3) schedule(dynamic)
  for (int i = 0; i < kRows; i++)
    for (unsigned j = 0; j < kColumns; j++)
      for (long k = 0; k < kDeep; k++) {
        int here = (i * kColumns + j) * kDeep + k;
#pragma omp ordered depend(sink : i - 1, j + 1, k) depend(sink : i, j, k - 1)
        if (i > 0 && j + 1 < kColumns) CHECK(load(&done[here - (kColumns - 1) * kDeep]));
        if (k > 0) CHECK(load(&done[here - 1]));
        store(&done[here], 1);
#pragma omp ordered depend(source)
      }
  for (int i = 0; i < kRows * kColumns * kDeep; i++) CHECK(done[i]);
}

static void ull_plane(void) {
  unsigned long long base = unsigned_base;
  memset(done, 0, sizeof done);
#pragma omp parallel for collapse(2) ordered(2) schedule(static, 1)
  for (unsigned long long i = base; i < base + kRows; i++)
    for (unsigned long long j = base; j < base + kColumns; j++) {
      int here = (int)((i - base) * kColumns + (j - base));
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      if (i > base) CHECK(load(&done[here - kColumns]));
      if (j > base) CHECK(load(&done[here - 1]));
      store(&done[here], 1);
#pragma omp ordered depend(source)
    }
  for (int i = 0; i < kRows * kColumns; i++) CHECK(done[i]);
}

/* Several such loops without a barrier between them. */
static void nowait(void) {
  static int flags[6][kCount];
  memset(flags, 0, sizeof flags);
#pragma omp parallel
  for (int round = 0; round < 6; round++) {
#pragma omp for ordered(1) schedule(dynamic) nowait
    for (int i = 0; i < kCount; i++) {
#pragma omp ordered depend(sink : i - 1)
      if (i > 0) CHECK(load(&flags[round][i - 1]));
      store(&flags[round][i], 1);
#pragma omp ordered depend(source)
    }
  }
  for (int round = 0; round < 6; round++)
    for (int i = 0; i < kCount; i++) CHECK(flags[round][i]);
}

/* Together with a task reduction. */
static void reducing(void) {
  unsigned long long base = unsigned_base;
  int sum = 0, order = 0;
  memset(done, 0, sizeof done);
#pragma omp parallel
  {
#pragma omp for ordered(1) schedule(dynamic) reduction(task, + : sum)
    for (int i = 0; i < kCount; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
#pragma omp ordered depend(sink : i - 1)
      CHECK_EQ(order++, i);
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(1) schedule(guided) reduction(task, + : sum)
    for (unsigned long long i = base; i < base + kCount; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += 1;
#pragma omp ordered depend(sink : i - 1)
      CHECK_EQ(order++, kCount + (int)(i - base));
#pragma omp ordered depend(source)
    }
  }
  CHECK_EQ(sum, kCount * (kCount - 1) / 2 + kCount);
}

static void empty(void) {
#pragma omp parallel for ordered(2) schedule(dynamic)
  for (int i = 0; i < 4; i++)
    for (int j = 4; j < 4; j++) {
#pragma omp ordered depend(sink : i - 1, j)
      CHECK(0);
#pragma omp ordered depend(source)
    }
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  ALL(static);
  ALL(static_chunk);
  ALL(dynamic);
  ALL(dynamic_chunk);
  ALL(guided);
  ALL(guided_chunk);
  ALL(auto);
  omp_set_schedule(omp_sched_static, 0);
  ALL(runtime);
  omp_set_schedule(omp_sched_dynamic, 2);
  ALL(runtime);
  omp_set_schedule(omp_sched_guided, 1);
  ALL(runtime);
  RUN(backwards);
  RUN(three_deep);
  RUN(ull_plane);
  RUN(nowait);
  RUN(reducing);
  RUN(empty);
  return check_end();
}
