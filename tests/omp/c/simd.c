/* SPDX-License-Identifier: Apache-2.0
 * simd, alone and in composite directives: last values of loop variables and others, linear
 * variables, reductions, collapsed and dependent loops, declare simd, ordered simd. */
#include "check.h"

enum { kCount = 203 };
static int out[kCount];

static void alone(void) {
  int i, k = 5, last = -1;
  long sum = 0;
#pragma omp simd linear(k : 3) lastprivate(last) reduction(+ : sum) safelen(8) simdlen(4)
  for (i = 0; i < kCount; i += 2) {
    out[i] = k;
    last = 2 * i;
    sum += i;
    k += 3;
  }
  CHECK_EQ(i, kCount + 1);
  CHECK_EQ(last, 2 * (kCount - 1));
  CHECK_EQ(k, 5 + 3 * 102);
  CHECK_EQ(sum, 101 * 102);
  for (int j = 0; j < kCount; j += 2) CHECK_EQ(out[j], 5 + 3 * (j / 2));
}

static void without_iterations(void) {
  int k = 1;
  volatile int none = 0;
#pragma omp simd linear(k)
  for (int i = 3; i < none; i++) k++;
  CHECK_EQ(k, 1);
}

static void in_chunks(void) {
  int i, k = 5, last = -1, scratch = 4;
#pragma omp parallel for simd linear(k : 3) lastprivate(last) private(scratch) schedule(static, 7)
  for (i = 0; i < kCount; i++) {
    scratch = k;
    out[i] = scratch;
    last = k;
    k += 3;
  }
  CHECK_EQ(scratch, 4);
  CHECK_EQ(k, 5 + 3 * kCount);
  CHECK_EQ(last, k - 3);
  for (int j = 0; j < kCount; j++) CHECK_EQ(out[j], 5 + 3 * j);
}

/* Chunks begin and end in the middle of the inner loop. */
static void collapsed(void) {
  int hits[11][17] = {{0}}, sum = 0, count = 0, i, j;
#pragma omp parallel for simd collapse(2) schedule(dynamic, 5) reduction(+ : sum) lastprivate(i, j)
  for (i = 0; i < 11; i++)
    for (j = 16; j >= 0; j--) {
      hits[i][j]++;
      sum += i * j;
    }
  CHECK_EQ(i, 11);
  CHECK_EQ(j, -1);
  CHECK_EQ(sum, 55 * 136);
  for (int a = 0; a < 11; a++)
    for (int b = 0; b < 17; b++) CHECK_EQ(hits[a][b], 1);
  double most = 0;
#pragma omp simd collapse(2) reduction(max : most)
  for (int a = 0; a < 11; a++)
    for (int b = 0; b < 17; b++)
      if (a * b + 0.5 > most) most = a * b + 0.5;
  CHECK(most == 160.5);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop simd collapse(2) grainsize(6) shared(hits)
  for (int a = 0; a < 11; a++)
    for (int b = 0; b < 17; b++) hits[a][b]++;
  for (int a = 0; a < 11; a++)
    for (int b = 0; b < 17; b++) count += hits[a][b];
  CHECK_EQ(count, 2 * 11 * 17);
}

typedef struct {
  long least, most;
} Range;
static Range both(Range a, Range b) {
  return (Range){a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
}
#pragma omp declare reduction(span:Range : omp_out = both(omp_out, omp_in)) \
    initializer(omp_priv = {1000, -1000})

static void declared_reduction(void) {
  Range range = {1000, -1000};
#pragma omp parallel for simd reduction(span : range)
  for (int i = 0; i < kCount; i++) {
    const long value = (i * 37) % 101 - 50;
    if (value < range.least) range.least = value;
    if (value > range.most) range.most = value;
  }
  CHECK_EQ(range.least, -50);
  CHECK_EQ(range.most, 50);
}

#pragma omp declare simd uniform(factor) notinbranch
static int times(int x, int factor) { return x * factor; }

static void calls(void) {
#pragma omp parallel for simd if (kCount > 3)
  for (int i = 0; i < kCount; i++) out[i] = times(i, 3);
  for (int i = 0; i < kCount; i++) CHECK_EQ(out[i], 3 * i);
}

static void ordered(void) {
  int hash = 1, expected = 1;
#pragma omp simd
  for (int i = 0; i < kCount; i++) {
    out[i] = i;
#pragma omp ordered simd
    hash = (hash * 31 + i) % 10007;
  }
  for (int i = 0; i < kCount; i++) expected = (expected * 31 + i) % 10007;
  CHECK_EQ(hash, expected);
}

static void in_teams(void) {
  int sum = 0, i, last = -1;
#pragma omp teams distribute parallel for simd num_teams(3) dist_schedule(static, 4) \
    schedule(static, 3) reduction(+ : sum) lastprivate(last) num_threads(2)
  for (i = 0; i < kCount; i++) {
    out[i] = -i;
    sum += i;
    last = i;
  }
  CHECK_EQ(sum, kCount * (kCount - 1) / 2);
  CHECK_EQ(last, kCount - 1);
  CHECK_EQ(i, kCount);
  for (int j = 0; j < kCount; j++) CHECK_EQ(out[j], -j);
#pragma omp target teams distribute parallel for simd map(tofrom : out) reduction(+ : sum)
  for (int j = 0; j < kCount; j++) {
    out[j] *= 2;
    sum += j;
  }
  CHECK_EQ(sum, kCount * (kCount - 1));
  for (int j = 0; j < kCount; j++) CHECK_EQ(out[j], -2 * j);
#pragma omp teams distribute simd num_teams(2)
  for (int j = 0; j < kCount; j++) out[j] += 2 * j;
  for (int j = 0; j < kCount; j++) CHECK_EQ(out[j], 0);
}

int main(void) {
  CHECK_BEGIN();
  RUN(alone);
  RUN(without_iterations);
  RUN(in_chunks);
  RUN(collapsed);
  RUN(declared_reduction);
  RUN(calls);
  RUN(ordered);
  RUN(in_teams);
  return check_end();
}
