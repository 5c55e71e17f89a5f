// SPDX-License-Identifier: Apache-2.0
// Declarations and expressions that could go wrong where a function's variables are in a frame. The
// serial program prints the same.
#include <stdio.h>

enum { kind = 5 };
typedef long number;
struct fixed {
  const int first;
  int second;
};
static long twice(int n) { return 2L * n; }

static long later(int n, long* to);
static long first(int n) {
  long to = 0;
  long sum = later(n, &to);
  return sum + to;
}
typedef long* pointer;
static long later(int n, pointer to) {
  long a = 0, b = 0;
  if (n < 2) return *to += 1, n + 1;
#pragma omp task shared(a) untied
  a = first(n - 1);
#pragma omp task shared(b)
  b = first(n - 2);
#pragma omp taskwait
  *to = kind;
  return a + b;
}

static long names(int n) {
  long (*call)(int) = twice;
  int abs(int);
  long a = kind, b = 0;
  number sum = 0;
  if (n < 2) return n;
  {
    int kind = n;
    long number = kind + 1;
#pragma omp task shared(a)
    a = names(n - 1);
    sum += number + kind;
  }
#pragma omp task shared(b)
  b = names(n - 2);
#pragma omp taskwait
  return sum + a + 2 * b + call(n) + abs(-n);
}

static long lengths(int n) {
  int(values)[n + 1];
  long a = 0;
  if (n < 2) return n;
  values[n] = n;
#pragma omp task shared(a)
  a = lengths(n - 1);
  values[0] = 1;
#pragma omp taskwait
  return a + values[n] + values[0];
}

static long ordinary(int n) {
  struct fixed pair = {n, 2};
  _Alignas(64) int aligned[4] = {n};
  int* literal = (int[]){n, n + 1};
  long a = 0;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = ordinary(n - 1);
#pragma omp taskwait
  return a + pair.first + pair.second + aligned[0] + literal[1] +
         (long)((unsigned long)aligned % 64);
}

int main(void) {
  long results[4] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(results)
    results[0] = first(18);
#pragma omp task shared(results)
    results[1] = names(18);
#pragma omp task shared(results)
    results[2] = lengths(200);
#pragma omp task shared(results)
    results[3] = ordinary(200);
  }
  printf("%ld %ld %ld %ld\n", results[0], results[1], results[2], results[3]);
}
