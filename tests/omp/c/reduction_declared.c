/* SPDX-License-Identifier: Apache-2.0
 * User-declared reductions in C, and scans. */
#include "check.h"

typedef struct {
  double low, high;
  long count;
} Range;

static void range_init(Range* range) {
  range->low = 1e300;
  range->high = -1e300;
  range->count = 0;
}

static void range_merge(Range* out, const Range* in) {
  if (in->low < out->low) out->low = in->low;
  if (in->high > out->high) out->high = in->high;
  out->count += in->count;
}

#pragma omp declare reduction(hull:Range : range_merge(&omp_out, &omp_in)) \
    initializer(range_init(&omp_priv))
#pragma omp declare reduction(add_squares:int : omp_out += omp_in) initializer(omp_priv = 0)
#pragma omp declare reduction(from_orig:long : omp_out += omp_in - 100) \
    initializer(omp_priv = omp_orig)

static Range range_of(int value) {
  Range r = {value, value, 1};
  return r;
}

static void structure(void) {
  Range whole;
  range_init(&whole);
#pragma omp parallel for reduction(hull : whole) schedule(dynamic, 3)
  for (int i = 0; i < 200; i++) {
    Range one = range_of((i * 37) % 200);
    range_merge(&whole, &one);
  }
  CHECK(whole.low == 0 && whole.high == 199);
  CHECK_EQ(whole.count, 200);
}

static void array_of_structures(void) {
  Range parts[6];
  for (int i = 0; i < 6; i++) range_init(&parts[i]);
#pragma omp parallel for reduction(hull : parts[1 : 4])
  for (int i = 0; i < 400; i++) {
    Range one = range_of(i);
    range_merge(&parts[1 + i % 4], &one);
  }
  CHECK_EQ(parts[0].count, 0);
  CHECK_EQ(parts[5].count, 0);
  for (int i = 0; i < 4; i++) {
    CHECK_EQ(parts[1 + i].count, 100);
    CHECK(parts[1 + i].low == i && parts[1 + i].high == 396 + i);
  }
}

static void expression(void) {
  int sum = 0;
#pragma omp parallel for reduction(add_squares : sum)
  for (int i = 0; i < 30; i++) sum += i * i;
  CHECK_EQ(sum, 29 * 30 * 59 / 6);
}

#ifdef __clang__
typedef struct {
  long sum;
  int combined;
} Nest;

/* It has its own reduction, and is slow, so that other threads could enter where they must not. */
static void nest_merge(Nest* out, const Nest* in) {
  long a = out->sum, b = 0, c = 0, d = 0;
  int combined = out->combined;
#pragma omp parallel for num_threads(3) reduction(+ : b, c, d)
  for (int i = 0; i < 6; i++) b++, c++, d++;
  if (b == 6 && c == 6 && d == 6) sched_yield();
  out->combined = combined + in->combined;
  out->sum = a + in->sum;
}

#pragma omp declare reduction(nest:Nest : nest_merge(&omp_out, &omp_in)) \
    initializer(omp_priv = (Nest){0, 0})

/* There are so many variables that a lock protects all of them together. The inner regions have one
 * thread. (Code of GCC takes the lock itself, and again within it.) */
static void region_within(void) {
  int n = omp_get_max_threads(), levels = omp_get_max_active_levels();
  omp_set_max_active_levels(1);
  for (int round = 0; round < 50; round++) {
    Nest x = {0, 0}, y = {0, 0}, z = {0, 0};
#pragma omp parallel reduction(nest : x, y, z)
    {
      x = (Nest){1, 1};
      y = (Nest){2, 1};
      z = (Nest){omp_get_thread_num(), 1};
    }
    CHECK_EQ(x.sum, n);
    CHECK_EQ(y.sum, 2 * n);
    CHECK_EQ(z.sum, (long)n * (n - 1) / 2);
    CHECK_EQ(x.combined + y.combined + z.combined, 3 * n);
  }
  omp_set_max_active_levels(levels);
}
#endif

static void original(void) {
  int n = omp_get_max_threads();
  long sum = 100;
#pragma omp parallel reduction(from_orig : sum)
  sum += omp_get_thread_num();
  CHECK_EQ(sum, 100 + (long)n * (n - 1) / 2);
}

enum { kScan = 700 };

static void inclusive(void) {
  static int in[kScan], out[kScan];
  for (int i = 0; i < kScan; i++) in[i] = i % 13 + 1;
  int sum = 5;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < kScan; i++) {
    sum += in[i];
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
  int want = 5;
  for (int i = 0; i < kScan; i++) {
    want += in[i];
    CHECK_EQ(out[i], want);
  }
  CHECK_EQ(sum, want);
}

static void exclusive(void) {
  static long in[kScan], out[kScan];
  for (int i = 0; i < kScan; i++) in[i] = i;
  long sum = 0, best = -1;
  static long bests[kScan];
#pragma omp parallel
#pragma omp for reduction(inscan, + : sum) reduction(inscan, max : best)
  for (int i = 0; i < kScan; i++) {
    out[i] = sum;
    bests[i] = best;
#pragma omp scan exclusive(sum, best)
    sum += in[i];
    if (in[i] > best) best = in[i];
  }
  for (int i = 0; i < kScan; i++) {
    CHECK_EQ(out[i], (long)i * (i - 1) / 2);
    CHECK_EQ(bests[i], i - 1);
  }
  CHECK_EQ(sum, (long)kScan * (kScan - 1) / 2);
}

static void scan_of_nothing_much(void) {
  static int out[3];
  int sum = 0;
  for (int count = 1; count <= 3; count++) {
    sum = 0;
#pragma omp parallel for simd reduction(inscan, + : sum)
    for (int i = 0; i < count; i++) {
      sum += i + 1;
#pragma omp scan inclusive(sum)
      out[i] = sum;
    }
    CHECK_EQ(sum, count * (count + 1) / 2);
    CHECK_EQ(out[count - 1], sum);
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(structure);
  RUN(array_of_structures);
  RUN(expression);
#ifdef __clang__
  RUN(region_within);
#endif
  RUN(original);
  RUN(inclusive);
  RUN(exclusive);
  RUN(scan_of_nothing_much);
  return check_end();
}
