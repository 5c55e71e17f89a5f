/* SPDX-License-Identifier: Apache-2.0
 * Clauses of loops that bobbin cc --translate implements beyond what the compilers do: scans of
 * arrays and on simd, conditional lastprivate variables in composite directives and of inner
 * regions, and induction with operations of the program's own. */
#include "check.h"

enum { kCount = 500 };
static int values[kCount], out[kCount];
static long sums[kCount][3];

static void fill(void) {
  for (int i = 0; i < kCount; i++) values[i] = (i * 37 + 11) % 101;
}

static void scan_on_simd(void) {
  int sum = 3, want = 3;
  fill();
#pragma omp simd reduction(inscan, + : sum)
  for (int i = 0; i < kCount; i++) {
    sum += values[i];
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
  for (int i = 0; i < kCount; i++) {
    want += values[i];
    CHECK_EQ(out[i], want);
  }
  CHECK_EQ(sum, want);
}

#define EXCLUSIVE(name, directive)                                                            \
  static void name(void) {                                                                    \
    int i, last = 0, own, sum = 7, want = 7;                                                  \
    fill();                                                                                   \
    PRAGMA(omp directive reduction(inscan, + : sum) private(own) lastprivate(last) linear(i)) \
    for (i = 0; i < kCount; i++) {                                                            \
      out[i] = sum;                                                                           \
      last = i;                                                                               \
      PRAGMA(omp scan exclusive(sum))                                                         \
      own = values[i];                                                                        \
      sum += own;                                                                             \
    }                                                                                         \
    CHECK(i == kCount && last == kCount - 1);                                                 \
    for (int k = 0; k < kCount; k++) {                                                        \
      CHECK_EQ(out[k], want);                                                                 \
      want += values[k];                                                                      \
    }                                                                                         \
    CHECK_EQ(sum, want);                                                                      \
  }

EXCLUSIVE(exclusive_simd, simd)
EXCLUSIVE(exclusive_for_simd, parallel for simd)

#define ARRAYS(name, directive)                            \
  static void name(void) {                                 \
    long sum[3] = {1, 2, 3}, want[3] = {1, 2, 3};          \
    fill();                                                \
    PRAGMA(omp directive reduction(inscan, + : sum))       \
    for (int i = 0; i < kCount; i++) {                     \
      for (int k = 0; k < 3; k++) sum[k] += values[i] * k; \
      PRAGMA(omp scan inclusive(sum))                      \
      for (int k = 0; k < 3; k++) sums[i][k] = sum[k];     \
    }                                                      \
    for (int i = 0; i < kCount; i++) {                     \
      for (int k = 0; k < 3; k++) {                        \
        want[k] += values[i] * k;                          \
        CHECK_EQ(sums[i][k], want[k]);                     \
      }                                                    \
    }                                                      \
    for (int k = 0; k < 3; k++) CHECK_EQ(sum[k], want[k]); \
  }

ARRAYS(arrays, parallel for)
ARRAYS(arrays_simd, simd)

/* The threads of a cancelled region do not wait for each other. */
static void cancelled(void) {
  for (int wanted = 0; wanted < 2; wanted++) {
    const int is_cancelled = wanted && omp_get_cancellation();
    int last = 77, sum = 2;
#pragma omp parallel
    {
#pragma omp cancel parallel if (wanted && omp_get_thread_num() == 0)
#pragma omp for lastprivate(conditional : last)
      for (int i = 0; i < 100; i++)
        if (i % 9 == 1) last = i;
    }
    CHECK(is_cancelled || last == 91);
#pragma omp parallel
    {
#pragma omp cancel parallel if (wanted && omp_get_thread_num() == 0)
#pragma omp for reduction(inscan, + : sum)
      for (int i = 0; i < 100; i++) {
        sum++;
#pragma omp scan inclusive(sum)
        out[i] = sum;
      }
    }
    CHECK(is_cancelled || sum == 102);
  }
}

static void conditional(void) {
  int last = -1, untouched = 9;
  double weight = 0;
#pragma omp simd lastprivate(conditional : last, untouched)
  for (int i = 0; i < 300; i++) {
    if (i % 7 == 3) last = i;
    if (i > 1000) untouched = i;
  }
  CHECK_EQ(last, 297);
#pragma omp parallel for simd lastprivate(conditional : last, untouched, weight) collapse(2) \
    schedule(dynamic, 3)
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 10; j++) {
      if (j == 2 && i < 17) last = i * 10 + j;
      if (i == 4) weight = j;
      if (i > 1000) untouched = i;
    }
  CHECK_EQ(last, 162);
  CHECK_EQ(untouched, 9);
  CHECK(weight == 9);
}

static void assigned_in_regions(void) {
  int last = -1;
#pragma omp parallel for lastprivate(conditional : last) schedule(dynamic, 2)
  for (int i = 0; i < 100; i++) {
    if (i % 10 == 4) {
#pragma omp task shared(last)
      last = i;
#pragma omp taskwait
    }
    if (i % 10 == 5) {
#pragma omp parallel num_threads(2) shared(last)
#pragma omp single
#pragma omp task shared(last)
      last = 1000 + i;
    }
    if (i == 97) {
      int others = 0;
#pragma omp parallel firstprivate(last) num_threads(2) reduction(+ : others)
      {
        last = 5;
        others += last;
      }
      CHECK(others >= 5);
    }
  }
  CHECK_EQ(last, 1095);
}

typedef struct {
  long factor, sum;
} Line;

static Line apply(Line to, Line step) {
  return (Line){to.factor * step.factor % 10007, (to.sum * step.factor + step.sum) % 10007};
}
static Line repeat(Line step, unsigned long long times) {
  Line all = {1, 0};
  while (times-- > 0) all = apply(all, step);
  return all;
}
#pragma omp declare_induction(line : Line) inductor(omp_var = apply(omp_var, omp_step)) \
    collector(repeat(omp_step, omp_idx))
#pragma omp declare induction(thrice : (long, int), int) inductor(omp_var += 3 * omp_step) \
    collector(omp_step*(int)omp_idx)

enum { kSteps = 200 };
static Line lines[kSteps + 1];
static const Line kStep = {3, 1};

#define INDUCTION(name, directive, more)                                                  \
  static void name(void) {                                                                \
    int at = 5;                                                                           \
    unsigned power = 1;                                                                   \
    Line line = lines[0];                                                                 \
    PRAGMA(omp directive induction(step(2), + : at) induction(strict, step(3), * : power) \
               induction(step(kStep), line : line) more)                                  \
    for (int i = 0; i < kSteps; i++) {                                                    \
      unsigned want = 1;                                                                  \
      for (int k = 0; k < i; k++) want *= 3;                                              \
      CHECK_EQ(at, 5 + 2 * i);                                                            \
      CHECK_EQ(power, want);                                                              \
      CHECK(line.factor == lines[i].factor && line.sum == lines[i].sum);                  \
      at += 2;                                                                            \
    }                                                                                     \
    unsigned want = 1;                                                                    \
    for (int k = 0; k < kSteps; k++) want *= 3;                                           \
    CHECK_EQ(at, 5 + 2 * kSteps);                                                         \
    CHECK_EQ(power, want);                                                                \
    CHECK(line.factor == lines[kSteps].factor && line.sum == lines[kSteps].sum);          \
  }

INDUCTION(induction_simd, simd, )
INDUCTION(induction_for, parallel for, schedule(static, 3))
INDUCTION(induction_for_simd, parallel for simd, schedule(dynamic, 7))
INDUCTION(induction_taskloop, parallel masked taskloop, num_tasks(9))
INDUCTION(induction_taskloop_simd, parallel masked taskloop simd, grainsize(8))

static void induction(void) {
  lines[0] = (Line){1, 2};
  for (int i = 0; i < kSteps; i++) lines[i + 1] = apply(lines[i], kStep);
  induction_simd();
  induction_for();
  induction_for_simd();
  induction_taskloop();
  induction_taskloop_simd();
  long most = 4;
  int at = 5;
#pragma omp parallel for induction(step(2), thrice : most) induction(strict, step(2), thrice : at) \
    collapse(2)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 10; j++) {
      CHECK_EQ(most, 4 + 6 * (i * 10 + j));
      CHECK_EQ(at, 5 + 6 * (i * 10 + j));
    }
  CHECK(at == 5 + 6 * kSteps && most == 4 + 6 * kSteps);
}

static void induction_of_teams(void) {
#pragma omp teams num_teams(3)
  {
    int own = 1;
    double all = 0;
#pragma omp distribute induction(step(4), + : own) dist_schedule(static, 9)
    for (int i = 0; i < kSteps; i++) CHECK_EQ(own, 1 + 4 * i);
    own = 2;
#pragma omp distribute parallel for simd induction(step(4), + : own) \
    induction(strict, step(1), + : all) dist_schedule(static, 50)
    for (int i = 0; i < kSteps; i++) CHECK(own == 2 + 4 * i && all == i);
    own = 3;
#pragma omp distribute simd induction(strict, step(4), + : own)
    for (int i = 0; i < kSteps; i++) CHECK_EQ(own, 3 + 4 * i);
  }
}

static void linear_on_taskloop(void) {
  int at = 8;
#pragma omp parallel masked taskloop simd linear(at : 3) grainsize(8)
  for (int i = 0; i < kSteps; i++) {
    out[i] = at;
    at += 3;
  }
  for (int i = 0; i < kSteps; i++) CHECK_EQ(out[i], 8 + 3 * i);
  CHECK_EQ(at, 8 + 3 * kSteps);
}

static void scan_with_induction(void) {
  int sum = 0, power = 1;
#pragma omp parallel for reduction(inscan, + : sum) induction(step(2), * : power)
  for (int i = 0; i < 20; i++) {
    sum += power;
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
  for (int i = 0; i < 20; i++) CHECK_EQ(out[i], (2 << i) - 1);
  CHECK_EQ(power, 1 << 20);
}

int main(void) {
  CHECK_BEGIN();
  RUN(scan_on_simd);
  RUN(exclusive_simd);
  RUN(exclusive_for_simd);
  RUN(arrays);
  RUN(arrays_simd);
  RUN(cancelled);
  RUN(conditional);
  RUN(assigned_in_regions);
  RUN(induction);
  RUN(induction_of_teams);
  RUN(linear_on_taskloop);
  RUN(scan_with_induction);
  return check_end();
}
