// SPDX-License-Identifier: Apache-2.0
// An extension library such as a Python wheel contains, loaded through ctypes.

// Returns the sum of 1..n, computed by a team; -1 if a thread saw a wrong iteration count.
long py_sum(long n, int threads) {
  long sum = 0, count = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum, count) schedule(dynamic, 16)
  for (long i = 1; i <= n; i++) {
    sum += i;
    count++;
  }
  return count == n ? sum : -1;
}

static long fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

long py_fib(int n, int threads) {
  long result = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  result = fib(n);
  return result;
}
