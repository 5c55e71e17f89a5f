/* SPDX-License-Identifier: Apache-2.0
 * A library that uses OpenMP inside: built by gcc and by clang, opened at run time. */
#include <omp.h>

/* The sum of 1 to n, by a region of `threads` threads. */
long pool_sum(int threads, int n) {
  long total = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16) reduction(+ : total)
  for (int i = 1; i <= n; i++) total += i;
  return total;
}

static long fib(int n) {
  if (n < 2) return n;
  long left, right;
#pragma omp task shared(left)
  left = fib(n - 1);
#pragma omp task shared(right)
  right = fib(n - 2);
#pragma omp taskwait
  return left + right;
}

long pool_fib(int threads, int n) {
  long result = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  result = fib(n);
  return result;
}
