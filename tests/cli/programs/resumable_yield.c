// SPDX-License-Identifier: Apache-2.0
// A task that yields lies above its maker, whose rest must not be executed there: it waits for the
// task in an ordinary function.
#include <stdio.h>

static long wait_for_another(long n) {
#pragma omp task
  {
  }
#pragma omp taskwait
  return n;
}

static void yield(void) {
#pragma omp taskyield
}

static void make(int n) {
  long value;
  if (n < 1) return;
#pragma omp task
  {
    yield();
    make(n - 1);
    yield();
  }
  value = 1 + wait_for_another(6);
#pragma omp taskwait
  (void)value;
}

int main(void) {
  for (int i = 0; i < 100; i++) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      make(12);
    }
  }
  puts("ended");
}
