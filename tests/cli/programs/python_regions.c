// SPDX-License-Identifier: Apache-2.0
// A library for Python programs. Each function opens a region of two threads that work for so many
// seconds.
#include <omp.h>

static volatile double sink;

static void work(double seconds) {
  const double end = omp_get_wtime() + seconds;
  while (omp_get_wtime() < end) sink = sink + 1;
}

void busy(double seconds) {
#pragma omp parallel num_threads(2)  // line busy
  work(seconds);
}

// Each thread calls before.
void busy_after(void (*call)(void), double seconds) {
#pragma omp parallel num_threads(2)  // line busy after
  {
    call();
    work(seconds);
  }
}
