// SPDX-License-Identifier: Apache-2.0
// Copies are as aligned as the variable's own declaration asks.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
static int bad(const void* p, unsigned a) { return ((uintptr_t)p & (a - 1)) != 0; }
extern double shared_one;
double shared_one __attribute__((aligned(512))) = 1;
_Thread_local int tp __attribute__((aligned(256)));
int main(void) {
  int fail[16] = {0};
  int n = 5;
  long q __attribute__((aligned(256))) = 1;
  double l __attribute__((aligned(256))) = 0;
  int i __attribute__((aligned(256)));
  double w[n] __attribute__((aligned(256)));
  for (int k = 0; k < n; k++) w[k] = k;
#pragma omp parallel for lastprivate(l) num_threads(4) firstprivate(shared_one)
  for (i = 0; i < 8; i++) {
    l = i;
    fail[0] |= bad(&l, 256);
    fail[1] |= bad(&i, 256);
    fail[4] |= bad(&shared_one, 512);
  }
#pragma omp parallel private(w) num_threads(4)
  fail[2] |= bad(w, 256);
#pragma omp parallel firstprivate(w) num_threads(4)
  fail[3] |= bad(w, 256) | (w[4] != 4);
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int k = 0; k < 10; k++)
#pragma omp task firstprivate(w)
    fail[5] |= bad(w, 256) | (w[4] != 4);
#pragma omp parallel num_threads(4)
  {
#pragma omp single
#pragma omp taskloop lastprivate(l) firstprivate(w) private(shared_one)
    for (i = 0; i < 8; i++) {
      l = i;
      fail[6] |= bad(&l, 256);
      fail[8] |= bad(w, 256);
      fail[9] |= bad(&shared_one, 512);
    }
#pragma omp for linear(q : 1)
    for (int k = 0; k < 8; k++) {
      fail[10] |= bad(&q, 256);
    }
#pragma omp for reduction(inscan, + : shared_one)
    for (int k = 0; k < 8; k++) {
      shared_one++;
      fail[11] |= bad(&shared_one, 512);
#pragma omp scan inclusive(shared_one)
      fail[12] |= bad(&shared_one, 512);
    }
  }
#pragma omp parallel num_threads(4) private(l) allocate(omp_default_mem_alloc : l)
  fail[13] |= bad(&l, 256);
#pragma omp parallel num_threads(4) reduction(+ : l) \
    allocate(align(16), allocator(omp_default_mem_alloc) : l)
  fail[14] |= bad(&l, 256);
#pragma omp target firstprivate(l, w)
  fail[15] |= bad(&l, 256) | bad(w, 256);
  int failed = 0;
  for (int k = 0; k < 16; k++) {
    if (fail[k]) failed = printf("check %d failed\n", k);
  }
  puts(failed ? "failed" : "passed");
  return failed != 0;
}
