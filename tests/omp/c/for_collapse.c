/* SPDX-License-Identifier: Apache-2.0
 * collapse: rectangular and not, with empty dimensions, negative steps and 64-bit counts. */
#include "check.h"

enum { kA = 7, kB = 5, kC = 4, kD = 3 };
static int hits[kA * kB * kC * kD];

static void reset(void) { memset(hits, 0, sizeof hits); }

static void expect(int count) {
  int total = 0;
  for (unsigned i = 0; i < sizeof hits / sizeof *hits; i++) {
    CHECK(hits[i] == 0 || hits[i] == 1);
    total += hits[i];
  }
  CHECK_EQ(total, count);
}

#define FOUR_DEEP(name, clause)                                          \
  static void name(void) {                                               \
    reset();                                                             \
    PRAGMA(omp parallel for collapse(4) schedule clause)                 \
    for (int a = 0; a < kA; a++)                                         \
      for (long b = kB - 1; b >= 0; b--)                                 \
        for (unsigned c = 10; c < 10 + 2 * kC; c += 2)                   \
          for (short d = 0; d < kD; d++)                                 \
            add_one(&hits[((a * kB + b) * kC + (c - 10) / 2) * kD + d]); \
    expect(kA* kB* kC* kD);                                              \
  }

FOUR_DEEP(four_static, (static))
FOUR_DEEP(four_static_chunk, (static, 7))
FOUR_DEEP(four_dynamic, (dynamic, 3))
FOUR_DEEP(four_guided, (guided))
FOUR_DEEP(four_runtime, (runtime))

static void unsigned_long_long(void) {
  reset();
  const unsigned long long base = 1ULL << 62;
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (unsigned long long a = base; a < base + 2 * kA; a += 2)
    for (unsigned long long b = base + kB; b > base; b--)
      add_one(&hits[(a - base) / 2 * kB + (b - base - 1)]);
  expect(kA * kB);
  reset();
#pragma omp parallel for collapse(3) schedule(guided, 2)
  for (unsigned long long a = base; a < base + kA; a++)
    for (int b = 0; b < kB; b++)
      for (unsigned long long c = 0; c < kC; c++) add_one(&hits[((a - base) * kB + b) * kC + c]);
  expect(kA * kB * kC);
}

static volatile int zero = 0, three = 3;

static void empty_dimension(void) {
  int count = 0;
#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(static)
    for (int i = 0; i < three; i++)
      for (int j = 5; j < 5 + zero; j++) add_one(&count);
#pragma omp for collapse(3) schedule(dynamic)
    for (int i = 0; i < three; i++)
      for (int j = zero; j < 0; j++)
        for (long k = 0; k < 1000000000L; k++) add_one(&count);
#pragma omp for collapse(2) schedule(runtime)
    for (unsigned long long i = 0; i < (unsigned long long)zero; i++)
      for (unsigned long long j = 0; j < 9; j++) add_one(&count);
  }
  CHECK_EQ(count, 0);
}

/* clang counts the iterations of the nest in an unsigned long, and asks for 0 to the count less
 * one. */
static void empty_triangle(void) {
  int count = 0;
#pragma omp parallel for collapse(2)
  for (long i = 5; i < 8; i++)
    for (long j = i; j <= 4; j++) add_one(&count);
  CHECK_EQ(count, 0);
}

/* Non-rectangular nests allow no schedule clause. */
static void triangles(void) {
  enum { kSide = 25 };
  static int seen[kSide][kSide];
  memset(seen, 0, sizeof seen);
#pragma omp parallel for collapse(2)
  for (int i = 0; i < kSide; i++)
    for (int j = i; j < kSide; j++) add_one(&seen[i][j]);
  for (int i = 0; i < kSide; i++)
    for (int j = 0; j < kSide; j++) CHECK_EQ(seen[i][j], j >= i);
  memset(seen, 0, sizeof seen);
#pragma omp parallel
#pragma omp for collapse(2)
  for (long i = kSide - 1; i >= 0; i--)
    for (long j = 0; j < 3 * i - 5; j += 3)
      if (j < kSide) add_one(&seen[i][j]);
  for (int i = 0; i < kSide; i++)
    for (int j = 0; j < kSide; j++) CHECK_EQ(seen[i][j], j % 3 == 0 && j < 3 * i - 5);
}

/* lastprivate gives the values of the last collapsed iteration. */
static void last_values(void) {
  int i, j, last = -1;
#pragma omp parallel for collapse(2) lastprivate(last) lastprivate(i, j) schedule(dynamic)
  for (i = 0; i < 6; i++)
    for (j = 0; j < 9; j++) last = i * 100 + j;
  CHECK_EQ(last, 508);
  CHECK_EQ(i, 6);
  CHECK_EQ(j, 9);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_schedule(omp_sched_guided, 2);
  RUN(four_static);
  RUN(four_static_chunk);
  RUN(four_dynamic);
  RUN(four_guided);
  RUN(four_runtime);
  RUN(unsigned_long_long);
  RUN(empty_dimension);
  RUN(empty_triangle);
  RUN(triangles);
  RUN(last_values);
  return check_end();
}
