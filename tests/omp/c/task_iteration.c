/* SPDX-License-Identifier: Apache-2.0 */
/* Taskloops whose iterations depend on each other and on other tasks (OpenMP 6.0). */
#include "check.h"

enum { kLength = 200, kRounds = 10 };

/* Each iteration needs the one before it. */
static void chain(void) {
  long a[kLength];
  for (int grain = 1; grain <= 9; grain += 4) {
    for (int i = 0; i < kLength; i++) a[i] = i;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop nogroup grainsize(strict : grain) shared(a)
      for (int i = 1; i < kLength; i++) {
#pragma omp task_iteration depend(inout : a[i]) depend(in : a[i - 1])
        a[i] += a[i - 1];
      }
#pragma omp task depend(in : a[kLength - 1]) shared(a)
      CHECK_EQ(a[kLength - 1], (kLength - 1) * kLength / 2);
    }
    for (int i = 0; i < kLength; i++) CHECK_EQ(a[i], i * (i + 1) / 2);
  }
}

/* One dependence for each chunk is enough: the others are left out by the if clause. */
static void chosen(void) {
  long a[kLength];
  int n = kLength, asked = 0;
  for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(strict : 4) nogroup shared(a)
    for (int i = 0; i < n; i++) {
#pragma omp task_iteration depend(out : a[i]) if (i % 4 == 3)
      a[i] = i;
    }
#pragma omp taskloop grainsize(strict : 4) nogroup shared(a)
    for (int i = 0; i < n; i++) {
#pragma omp task_iteration depend(inout : a[i]) if (asked++ % 4 == 3) affinity(a[i])
#pragma omp task_iteration affinity(a[i])
      {
        CHECK_EQ(a[i], i);
        a[i]++;
      }
    }
#pragma omp task depend(in : a[n - 1]) shared(a)
    CHECK_EQ(a[n - 1], n);
  }
  CHECK_EQ(asked, n);
  for (int i = 0; i < n; i++) CHECK_EQ(a[i], i + 1);
}

/* A wave through a matrix: loops that are collapsed. The second one goes down. */
static void wave(void) {
  enum { kSide = 20 };
  int n = kSide;
  long b[n][n], c[kSide][kSide];
  memset(b, 0, sizeof b);
  for (int i = 0; i < n; i++) b[0][i] = b[i][0] = c[0][i] = c[i][0] = 1;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) c[i][j] = c[i - 1][j] + c[i][j - 1];
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop collapse(2) nogroup shared(b) num_tasks(50)
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++) {
#pragma omp task_iteration depend(inout : b[i][j]) depend(in : b[i - 1][j], b[i][j - 1])
        b[i][j] = b[i - 1][j] + b[i][j - 1];
      }
#pragma omp task depend(inout : b[n - 1][n - 1]) shared(b)
    CHECK_EQ(b[n - 1][n - 1], 35345263800);
#pragma omp taskloop collapse(2) shared(b)
    for (int i = n - 1; i > 0; i--) {
      for (int j = i; j > 0; j--) {
#pragma omp task_iteration depend(iterator(k = 0 : 2), inout : b[i - k][j])
        b[i][j] -= b[i - 1][j];
      }
    }
  }
  for (int i = 1; i < n; i++)
    for (int j = 1; j <= i; j++) CHECK_EQ(b[i][j], c[i][j - 1]);
}

/* Private and firstprivate variables of each task, and a reduction. */
static void variables(void) {
  int n = 50, order = 0, last = -1;
  struct {
    long values[20];
  } record = {{1, 2, 3}};
  long sum = 0;
#pragma omp parallel
#pragma omp single
  {
    long table[n];
    for (int i = 0; i < n; i++) table[i] = i;
#pragma omp taskloop firstprivate(record, table) shared(order) lastprivate(last) \
    reduction(+ : sum) num_tasks(7)
    for (int i = 0; i < n; i++) {
#pragma omp task_iteration depend(inout : order)
      {
        CHECK_EQ(order, i);
        order = i + 1;
        sum += table[i] + record.values[1];
        table[i] = -1;
        if (i == 10) CHECK_EQ(record.values[2], 3);
        record.values[1] = 2;
        last = i;
      }
    }
    CHECK_EQ(sum, 49 * 25 + 2 * n);
    CHECK_EQ(last, n - 1);
  }
}

static void of_object(void) {
  int value = 0;
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : value)
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) shared(value)
  for (int i = 0; i < 30; i++) {
#pragma omp task_iteration depend(depobj : object)
    CHECK_EQ(value++, i);
  }
#pragma omp depobj(object) destroy
}

/* One after the other, in a graph and in a task that is executed at once. */
static void recorded(void) {
  long a[kLength];
  int statements = 0, n = kLength;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    memset(a, 0, sizeof a);
#pragma omp taskgraph
    {
      statements++;
#pragma omp taskloop nogroup num_tasks(10) shared(a)
      for (int i = 0; i < n; i++) {
#pragma omp task_iteration depend(out : a[i])
        a[i] = i;
      }
#pragma omp taskloop simd nogroup num_tasks(20) shared(a)
      for (int i = 0; i < n; i++) {
#pragma omp task_iteration depend(inout : a[i])
        a[i] += i;
      }
    }
    for (int i = 0; i < n; i++) CHECK_EQ(a[i], 2 * i);
  }
  CHECK(statements == 1 || statements == kRounds);
#pragma omp parallel masked taskloop if (taskloop : 0) shared(a)
  for (int i = 1; i < n; i++) {
#pragma omp task_iteration depend(inout : a[i]) depend(in : a[i - 1])
    a[i] = a[i - 1] + 1;
  }
  CHECK_EQ(a[n - 1], n - 1);
}

int main(void) {
  CHECK_BEGIN();
  RUN(chain);
  RUN(chosen);
  RUN(wave);
  RUN(variables);
  RUN(of_object);
  RUN(recorded);
  return check_end();
}
