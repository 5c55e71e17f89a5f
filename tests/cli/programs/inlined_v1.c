/* SPDX-License-Identifier: Apache-2.0
 * The source of inlined_v1_gcc.o and inlined_v1_clang.o: objects with inlined tasks and loops, made
 * when version 1 of the frozen data was, and never made again. Every later runtime must run them.
 */
#include <omp.h>
#include <stdio.h>

static long fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a) if (n % 3 != 0)
  a = fib(n - 1);
#pragma omp task shared(b) final(n < 8)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  long result = 0, sum = 0;
  int outside = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task shared(result)
  result = fib(20);
#pragma omp parallel reduction(+ : outside)
  {
    outside += omp_get_thread_num() >= omp_get_num_threads() || omp_in_final();
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
    for (long i = 100000; i > 0; i -= 7) sum += i;
  }
  printf("fib %ld sum %ld outside %d\n", result, sum, outside);
  return 0;
}
