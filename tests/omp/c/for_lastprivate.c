/* SPDX-License-Identifier: Apache-2.0
 * The data clauses of loops: lastprivate, firstprivate together with it, linear, private copies. */
#include "check.h"

typedef struct {
  int values[9];
  double weight;
} Block;

#define LAST(name, clause)                                                                   \
  static void name(void) {                                                                   \
    int last = -1, both = 1000, i;                                                           \
    Block block = {{0}, 0};                                                                  \
    PRAGMA(omp parallel for lastprivate(last, block, i) firstprivate(both) lastprivate(both) \
           schedule clause)                                                                  \
    for (i = 0; i < 123; i++) {                                                              \
      last = i;                                                                              \
      block.values[8] = 2 * i;                                                               \
      block.weight = i + 0.5;                                                                \
      CHECK(both >= 1000 && both < 1000 + 123);                                              \
      both = 1000 + i;                                                                       \
    }                                                                                        \
    CHECK_EQ(last, 122);                                                                     \
    CHECK_EQ(i, 123);                                                                        \
    CHECK_EQ(block.values[8], 244);                                                          \
    CHECK(block.weight == 122.5);                                                            \
    CHECK_EQ(both, 1122);                                                                    \
    PRAGMA(omp parallel) {                                                                   \
      PRAGMA(omp for lastprivate(last) schedule clause)                                      \
      for (unsigned long long k = 500; k > 400; k--) last = (int)k;                          \
      CHECK_EQ(last, 401);                                                                   \
    }                                                                                        \
  }

LAST(last_static, (static))
LAST(last_static_chunk, (static, 3))
LAST(last_dynamic, (dynamic))
LAST(last_guided, (guided, 2))
LAST(last_runtime, (runtime))
LAST(last_auto, (auto))

static void linear(void) {
  int j = 10;
  long k = 100;
#pragma omp parallel for linear(j : 2) linear(k : -3) schedule(dynamic, 4)
  for (int i = 0; i < 60; i++) {
    CHECK_EQ(j, 10 + 2 * i);
    CHECK_EQ(k, 100 - 3 * i);
    j += 2;
    k -= 3;
  }
  CHECK_EQ(j, 130);
  CHECK_EQ(k, -80);
  j = 0;
#pragma omp parallel
#pragma omp for linear(j) schedule(static)
  for (unsigned i = 0; i < 75; i++) {
    CHECK_EQ(j, i);
    j++;
  }
  CHECK_EQ(j, 75);
}

/* lastprivate(conditional:): the last iteration that assigned, if any. */
#define CONDITIONAL(name, clause)                                               \
  static void name(void) {                                                      \
    int found = -1, untouched = 7;                                              \
    double weight = 0;                                                          \
    PRAGMA(omp parallel for lastprivate(conditional : found, untouched, weight)      \
           schedule clause)                                                     \
    for (int i = 0; i < 200; i++) {                                             \
      if (i % 7 == 3) found = i;                                                \
      if (i == 60) weight = i * 0.25;                                           \
      if (i > 1000) untouched = i;                                              \
    }                                                                           \
    CHECK_EQ(found, 199);                                                       \
    CHECK_EQ(untouched, 7);                                                     \
    CHECK(weight == 15);                                                        \
    PRAGMA(omp parallel) {                                                      \
      PRAGMA(omp for lastprivate(conditional : found) schedule clause)          \
      for (unsigned long long i = 10; i < 90; i++)                              \
        if (i % 11 == 0) found = (int)i;                                        \
      CHECK_EQ(found, 88);                                                      \
    }                                                                           \
  }

CONDITIONAL(conditional_static, (static))
CONDITIONAL(conditional_chunk, (static, 4))
CONDITIONAL(conditional_dynamic, (dynamic))
CONDITIONAL(conditional_guided, (guided))
CONDITIONAL(conditional_runtime, (runtime))

static void conditional_sections(void) {
  int last = 0;
  volatile int yes = 1;
#pragma omp parallel sections lastprivate(conditional : last)
  {
#pragma omp section
    last = 1;
#pragma omp section
    if (yes) last = 2;
#pragma omp section
    if (!yes) last = 3;
  }
  CHECK_EQ(last, 2);
}

static void privates(void) {
  int scratch = 99, sum = 0;
#pragma omp parallel for private(scratch) reduction(+ : sum)
  for (int i = 0; i < 100; i++) {
    scratch = i;
    sum += scratch;
  }
  CHECK_EQ(sum, 4950);
  CHECK_EQ(scratch, 99);
}

static void simd_loops(void) {
  float a[256], b[256], sum = 0;
  for (int i = 0; i < 256; i++) a[i] = i;
  int last = 0;
#pragma omp parallel for simd schedule(simd : static, 8) lastprivate(last) reduction(+ : sum)
  for (int i = 0; i < 256; i++) {
    b[i] = 2 * a[i];
    sum += 1;
    last = i;
  }
  CHECK_EQ(last, 255);
  CHECK(sum == 256);
  for (int i = 0; i < 256; i++) CHECK(b[i] == 2 * i);
#pragma omp parallel
#pragma omp for simd schedule(dynamic, 16) aligned(a : 4) safelen(8)
  for (int i = 0; i < 256; i++) a[i] = b[i] + 1;
  for (int i = 0; i < 256; i++) CHECK(a[i] == 2 * i + 1);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_schedule(omp_sched_dynamic, 5);
  RUN(last_static);
  RUN(last_static_chunk);
  RUN(last_dynamic);
  RUN(last_guided);
  RUN(last_runtime);
  RUN(last_auto);
  RUN(linear);
  RUN(conditional_static);
  RUN(conditional_chunk);
  RUN(conditional_dynamic);
  RUN(conditional_guided);
  RUN(conditional_runtime);
  RUN(conditional_sections);
  RUN(privates);
  RUN(simd_loops);
  return check_end();
}
