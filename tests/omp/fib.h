/* SPDX-License-Identifier: Apache-2.0
 * A recursion that waits at every level, by tied and untied tasks. */
#pragma once

static long fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b) untied
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
