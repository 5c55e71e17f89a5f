/* SPDX-License-Identifier: Apache-2.0
 * fib with two tasks a call, the first call within a final task if there is an argument. */
#include <stdio.h>

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

int main(int argc, char** argv) {
  long result = 0;
  (void)argv;
#pragma omp parallel
#pragma omp single
#pragma omp task shared(result) final(argc > 1)
  result = fib(20);
  printf("fib %ld\n", result);
  return 0;
}
