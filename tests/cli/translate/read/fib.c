#include <stdio.h>

static long fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  long result;
#pragma omp parallel
#pragma omp single
  result = fib(20);
  printf("%ld\n", result);
}
