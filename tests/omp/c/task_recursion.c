/* SPDX-License-Identifier: Apache-2.0
 * Small versions of the usual recursive programs: fib, n queens, an unbalanced tree search, merge
 * sort, strassen-like splitting. Every result is compared with the serial one. */
#include <stdint.h>

#include "check.h"

static long fib_serial(int n) { return n < 2 ? n : fib_serial(n - 1) + fib_serial(n - 2); }

static long fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static long fib_untied(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a) untied
  a = fib_untied(n - 1);
#pragma omp task shared(b) untied if (n > 5)
  b = fib_untied(n - 2);
#pragma omp taskwait
  return a + b;
}

static void fibonacci(void) {
  long a = 0, b = 0;
#pragma omp parallel
#pragma omp single
  {
    a = fib(15);
    b = fib_untied(13);
  }
  CHECK_EQ(a, fib_serial(15));
  CHECK_EQ(b, fib_serial(13));
}

/* Every implicit task computes its own. */
static void fibonacci_everywhere(void) {
#pragma omp parallel
  CHECK_EQ(fib(7), 13);
}

enum { kQueens = 7 };

static int safe(const char* columns, int row, int column) {
  for (int r = 0; r < row; r++)
    if (columns[r] == column || columns[r] - column == row - r || column - columns[r] == row - r)
      return 0;
  return 1;
}

static void queens(int row, const char* columns, int* solutions) {
  if (row == kQueens) {
#pragma omp atomic
    (*solutions)++;
    return;
  }
  for (char column = 0; column < kQueens; column++) {
    if (!safe(columns, row, column)) continue;
    char next[kQueens];
    memcpy(next, columns, kQueens);
    next[row] = column;
#pragma omp task firstprivate(next, row)
    queens(row + 1, next, solutions);
  }
}

static void n_queens(void) {
  int solutions = 0;
  char columns[kQueens] = {0};
#pragma omp parallel
#pragma omp single
  queens(0, columns, &solutions);
  CHECK_EQ(solutions, 40);
}

static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Binomial: a node has six children with a probability just below one in six, so most trees are
 * tiny and few are deep. */
static int child_count(uint64_t state, int depth) {
  if (depth == 0) return 60;
  return (state >> 40) % 1000 < 155 ? 6 : 0;
}

static long search_serial(uint64_t state, int depth) {
  long nodes = 1;
  for (int i = 0; i < child_count(state, depth); i++)
    nodes += search_serial(mix(state + (uint64_t)i), depth + 1);
  return nodes;
}

static long search(uint64_t state, int depth) {
  int children = child_count(state, depth);
  long counts[64];
  for (int i = 0; i < children; i++) {
#pragma omp task shared(counts) untied
    counts[i] = search(mix(state + (uint64_t)i), depth + 1);
  }
#pragma omp taskwait
  long nodes = 1;
  for (int i = 0; i < children; i++) nodes += counts[i];
  return nodes;
}

static void unbalanced_tree(void) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    long nodes = 0;
#pragma omp parallel
#pragma omp single
    nodes = search(mix(seed), 0);
    CHECK_EQ(nodes, search_serial(mix(seed), 0));
  }
}

static void merge_sort(int* data, int* scratch, int n) {
  if (n < 16) {
    for (int i = 1; i < n; i++)
      for (int k = i; k > 0 && data[k] < data[k - 1]; k--) {
        int t = data[k];
        data[k] = data[k - 1];
        data[k - 1] = t;
      }
    return;
  }
  int half = n / 2;
#pragma omp task
  merge_sort(data, scratch, half);
#pragma omp task
  merge_sort(data + half, scratch + half, n - half);
#pragma omp taskwait
  int a = 0, b = half;
  for (int i = 0; i < n; i++)
    scratch[i] = b >= n || (a < half && data[a] <= data[b]) ? data[a++] : data[b++];
  memcpy(data, scratch, (size_t)n * sizeof *data);
}

static void sorting(void) {
  enum { kSize = 5000 };
  static int data[kSize], scratch[kSize];
  for (int i = 0; i < kSize; i++) data[i] = (int)(mix((uint64_t)i) % 100000);
#pragma omp parallel
#pragma omp single nowait
  merge_sort(data, scratch, kSize);
  for (int i = 1; i < kSize; i++) CHECK(data[i - 1] <= data[i]);
}

/* Sum by halving with taskgroups and dependences mixed in one recursion. */
static long halve(const int* data, int n) {
  if (n <= 8) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += data[i];
    return sum;
  }
  long left = 0, right = 0, both = 0;
#pragma omp taskgroup
  {
#pragma omp task shared(left) depend(out : left)
    left = halve(data, n / 2);
#pragma omp task shared(right) depend(out : right)
    right = halve(data + n / 2, n - n / 2);
#pragma omp task shared(left, right, both) depend(in : left, right)
    both = left + right;
  }
  return both;
}

static void halving(void) {
  enum { kSize = 1500 };
  static int data[kSize];
  long want = 0, got = 0;
  for (int i = 0; i < kSize; i++) want += data[i] = (int)(mix((uint64_t)i) % 1000);
#pragma omp parallel
#pragma omp single
  got = halve(data, kSize);
  CHECK_EQ(got, want);
}

int main(void) {
  CHECK_BEGIN();
  RUN(fibonacci);
  RUN(fibonacci_everywhere);
  RUN(n_queens);
  RUN(unbalanced_tree);
  RUN(sorting);
  RUN(halving);
  return check_end();
}
