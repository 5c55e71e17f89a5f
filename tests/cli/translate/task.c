int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a) final(n < 10)
  a = fib(n - 1);
#pragma omp task shared(b) untied
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
