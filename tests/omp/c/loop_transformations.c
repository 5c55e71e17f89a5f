/* SPDX-License-Identifier: Apache-2.0
 * Loop transformations: each iteration is executed once, in the order that the generated loops
 * have, alone and below worksharing directives. Also inductions. For translated programs only. */
#include "check.h"

enum { kMost = 400 };
static int order[kMost], length;

static void note(int value) { order[length++] = value; }
static void reset(void) { length = 0; }

static volatile int ten = 10, seven = 7;

static void tile(void) {
  reset();
#pragma omp tile sizes(3, 2)
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 5; j++) note(i * 10 + j);
  CHECK_EQ(length, 35);
  int at = 0;
  for (int i = 0; i < 7; i += 3)
    for (int j = 0; j < 5; j += 2)
      for (int a = i; a < i + 3 && a < 7; a++)
        for (int b = j; b < j + 2 && b < 5; b++) CHECK_EQ(order[at++], a * 10 + b);
}

static void tile_of_one(void) {
  reset();
  long i;
#pragma omp tile sizes(4)
  for (i = ten; i >= 0; i -= 2) note((int)i);
  CHECK_EQ(length, 6);
  for (int k = 0; k < 6; k++) CHECK_EQ(order[k], 10 - 2 * k);
}

static void stripe(void) {
  reset();
#pragma omp stripe sizes(4)
  for (int i = 0; i < ten; i++) note(i);
  static const int want[] = {0, 4, 8, 1, 5, 9, 2, 6, 3, 7};
  CHECK_EQ(length, 10);
  for (int k = 0; k < 10; k++) CHECK_EQ(order[k], want[k]);
}

static void reverse(void) {
  reset();
#pragma omp reverse
  for (unsigned i = 3; i < 3u + (unsigned)ten; i += 3) {
    if (i == 6) continue;
    note((int)i);
  }
  CHECK_EQ(length, 3);
  CHECK(order[0] == 12 && order[1] == 9 && order[2] == 3);
}

static void interchange(void) {
  reset();
#pragma omp interchange
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) note(i * 10 + j);
  for (int k = 0; k < 12; k++) CHECK_EQ(order[k], k % 3 * 10 + k / 3);
  reset();
#pragma omp interchange permutation(3, 1, 2)
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 4; k++) note(i * 100 + j * 10 + k);
  int at = 0;
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++) CHECK_EQ(order[at++], i * 100 + j * 10 + k);
  CHECK_EQ(length, at);
}

static void fuse(void) {
  reset();
#pragma omp fuse
  {
    for (int i = 0; i < 3; i++) note(i);
    for (int j = 9; j > 4; j--) {
      if (j == 8) continue;
      note(j);
    }
  }
  static const int want[] = {0, 9, 1, 2, 7, 6, 5};
  CHECK_EQ(length, 7);
  for (int k = 0; k < 7; k++) CHECK_EQ(order[k], want[k]);
  reset();
#pragma omp fuse looprange(2, 2)
  {
    for (int i = 0; i < 2; i++) note(i);
    for (int i = 10; i < 12; i++) note(i);
    for (int i = 20; i < 22; i++) note(i);
    for (int i = 30; i < 32; i++) note(i);
  }
  static const int parts[] = {0, 1, 10, 20, 11, 21, 30, 31};
  CHECK_EQ(length, 8);
  for (int k = 0; k < 8; k++) CHECK_EQ(order[k], parts[k]);
}

static void split(void) {
  for (int count = 0; count < 12; count++) {
    reset();
#pragma omp split counts(2, omp_fill, 3)
    for (int i = 0; i < count; i++) note(i);
    CHECK_EQ(length, count);
    for (int k = 0; k < count; k++) CHECK_EQ(order[k], k);
  }
}

static void unroll(void) {
  for (int count = 0; count < 12; count++) {
    reset();
#pragma omp unroll partial(4)
    for (int i = 0; i < count; i++) note(i);
#pragma omp unroll
    for (int i = 0; i < count; i++) note(i);
#pragma omp unroll full
    for (int i = 0; i < 8; i++) note(i);
    CHECK_EQ(length, 2 * count + 8);
    for (int k = 0; k < count; k++) CHECK(order[k] == k && order[count + k] == k);
  }
}

/* One directive on another, and worksharing on the result. */
static void associated(void) {
  static int seen[20][20];
  memset(seen, 0, sizeof seen);
#pragma omp parallel for collapse(2) schedule(dynamic, 2)
#pragma omp tile sizes(4, 3)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < ten; j++) add_one(&seen[i][j]);
#pragma omp parallel for
#pragma omp reverse
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < ten; j++) add_one(&seen[i][j]);
#pragma omp parallel for collapse(4)
#pragma omp tile sizes(3, 7)
#pragma omp interchange
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < ten; j++) add_one(&seen[i][j]);
#pragma omp parallel
  {
#pragma omp for collapse(2) nowait
    for (int i = 0; i < 20; i++)
#pragma omp unroll partial
      for (int j = 0; j < ten; j++) add_one(&seen[i][j]);
#pragma omp single
#pragma omp taskloop num_tasks(5)
#pragma omp tile sizes(6)
    for (int i = 0; i < 20; i++)
      for (int j = 0; j < ten; j++) add_one(&seen[i][j]);
  }
#pragma omp parallel for
#pragma omp fuse
  {
    for (int i = 0; i < 9; i++)
      for (int j = 0; j < ten; j++) add_one(&seen[i][j]);
    for (int i = 9; i < 20; i++)
      for (int j = 0; j < ten; j++) add_one(&seen[i][j]);
  }
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 20; j++) CHECK_EQ(seen[i][j], j < 10 ? 6 : 0);
}

static void nested(void) {
  reset();
#pragma omp reverse
#pragma omp tile sizes(5)
  for (int i = 0; i < seven; i++) note(i);
  static const int want[] = {5, 6, 0, 1, 2, 3, 4};
  CHECK_EQ(length, 7);
  for (int k = 0; k < 7; k++) CHECK_EQ(order[k], want[k]);
}

static void induction(void) {
  double value = 1, sum = 0, weight = 100;
  unsigned power = 1;
  int at = 5;
#pragma omp parallel for induction(step(0.5), * : value) induction(step(-0.25), + : weight) \
    induction(step(3), * : power) induction(relaxed, step(2), + : at) reduction(+ : sum)    \
    schedule(dynamic, 3)
  for (int i = 0; i < 20; i++) {
    unsigned want = 1;
    for (int k = 0; k < i; k++) want *= 3;
    CHECK_EQ(power, want);
    CHECK_EQ(at, 5 + 2 * i);
    CHECK(weight == 100 - 0.25 * i);
    sum += value;
    value *= 0.5;
    power *= 3;
  }
  CHECK(sum == 2 - value * 2);
  CHECK(value == 1.0 / 1048576);
  CHECK_EQ(at, 45);
  CHECK(weight == 95);
}

int main(void) {
  CHECK_BEGIN();
  RUN(tile);
  RUN(tile_of_one);
  RUN(stripe);
  RUN(reverse);
  RUN(interchange);
  RUN(fuse);
  RUN(split);
  RUN(unroll);
  RUN(associated);
  RUN(nested);
  RUN(induction);
  return check_end();
}
