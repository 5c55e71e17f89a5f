// SPDX-License-Identifier: Apache-2.0
// A library that uses OpenMP, loaded into a program that does not.

static int g_private = 100;
#pragma omp threadprivate(g_private)

static long fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

// Returns 0 when regions, tasks and threadprivate copies with copyin are right.
int dl_work(int threads) {
  long sum = 0, result = 0;
  int wrong = 0;
  g_private = 7;
#pragma omp parallel num_threads(threads) reduction(+ : sum, wrong) copyin(g_private)
  {
    wrong += g_private != 7;
    g_private++;
#pragma omp for schedule(dynamic, 3)
    for (int i = 1; i <= 100; i++) sum += i;
#pragma omp single
    result = fib(10);
    wrong += g_private != 8;
  }
  return wrong + (sum != 5050) + (result != 55);
}
