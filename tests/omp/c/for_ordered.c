/* SPDX-License-Identifier: Apache-2.0
 * ordered: the ordered parts of a loop run one at a time and in the loop's order. Every schedule,
 * signed and unsigned long long loops. */
#include "check.h"

enum { kCount = 60 };

static int next_expected, inside;

static void enter(int k) {
  CHECK_EQ(add_one(&inside), 1);
  CHECK_EQ(next_expected, k);
  next_expected = k + 1;
  __atomic_fetch_sub(&inside, 1, __ATOMIC_ACQ_REL);
}

#define ORDERED(name, clause)                                            \
  static void combined_##name(void) {                                    \
    next_expected = 0;                                                   \
    PRAGMA(omp parallel for ordered schedule clause)                     \
    for (int i = 0; i < kCount; i++) {                                   \
      PRAGMA(omp ordered)                                                \
      enter(i);                                                          \
    }                                                                    \
    CHECK_EQ(next_expected, kCount);                                     \
    next_expected = 0;                                                   \
    PRAGMA(omp parallel for ordered schedule clause)                     \
    for (long i = 3 * kCount; i > 0; i -= 3) {                           \
      PRAGMA(omp ordered)                                                \
      enter(kCount - (int)i / 3);                                        \
    }                                                                    \
    CHECK_EQ(next_expected, kCount);                                     \
  }                                                                      \
  static void orphaned_ull_##name(void) {                                \
    const unsigned long long base = 1ULL << 63;                          \
    next_expected = 0;                                                   \
    PRAGMA(omp parallel) {                                               \
      PRAGMA(omp for ordered schedule clause)                            \
      for (unsigned long long i = base; i < base + 2 * kCount; i += 2) { \
        PRAGMA(omp ordered)                                              \
        enter((int)((i - base) / 2));                                    \
      }                                                                  \
      PRAGMA(omp single)                                                 \
      next_expected = 0;                                                 \
      PRAGMA(omp for ordered schedule clause)                            \
      for (long i = 0; i < kCount; i++) {                                \
        PRAGMA(omp ordered)                                              \
        enter((int)i);                                                   \
      }                                                                  \
    }                                                                    \
    CHECK_EQ(next_expected, kCount);                                     \
  }

ORDERED(static, (static))
ORDERED(static_chunk, (static, 3))
ORDERED(dynamic, (dynamic))
ORDERED(dynamic_chunk, (dynamic, 4))
ORDERED(guided, (guided))
ORDERED(guided_chunk, (guided, 2))
ORDERED(runtime, (runtime))
ORDERED(auto, (auto))
ORDERED(mono, (monotonic : dynamic, 2))

#define BOTH(name)            \
  do {                        \
    RUN(combined_##name);     \
    RUN(orphaned_ull_##name); \
  } while (0)

/* Iterations that never reach the ordered construct do not delay the later ones. */
static void skipped(void) {
  int last = -1, count = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = 0; i < kCount; i++) {
    if (i % 3 != 0) continue;
#pragma omp ordered
    {
      CHECK(i > last);
      last = i;
      count++;
    }
  }
  CHECK_EQ(count, (kCount + 2) / 3);
}

/* The construct is in a function that the loop calls, with work before and after it. */
static int results[kCount];
static int filled;

static void append(int value) {
#pragma omp ordered
  results[filled++] = value;
}

static void orphaned(void) {
  filled = 0;
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < kCount; i++) {
    int value = 0;
    for (int k = 0; k <= i; k++) value += k;
    append(value);
  }
  CHECK_EQ(filled, kCount);
  for (int i = 0; i < kCount; i++) CHECK_EQ(results[i], i * (i + 1) / 2);
}

static void collapsed(void) {
  next_expected = 0;
#pragma omp parallel for collapse(2) ordered schedule(dynamic)
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 10; j++) {
#pragma omp ordered
      enter(i * 10 + j);
    }
  }
  CHECK_EQ(next_expected, 60);
}

static void empty(void) {
#pragma omp parallel
  {
#pragma omp for ordered schedule(dynamic)
    for (int i = 5; i < 5; i++) {
#pragma omp ordered
      CHECK(0);
    }
#pragma omp for ordered schedule(static)
    for (unsigned long long i = 5; i < 5; i++) {
#pragma omp ordered
      CHECK(0);
    }
  }
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  BOTH(static);
  BOTH(static_chunk);
  BOTH(dynamic);
  BOTH(dynamic_chunk);
  BOTH(guided);
  BOTH(guided_chunk);
  BOTH(auto);
  BOTH(mono);
  static const omp_sched_t kKinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                       omp_sched_auto};
  for (int i = 0; i < 4; i++) {
    omp_set_schedule(kKinds[i], i % 2 ? 2 : 0);
    BOTH(runtime);
  }
  RUN(skipped);
  RUN(orphaned);
  RUN(collapsed);
  RUN(empty);
  return check_end();
}
