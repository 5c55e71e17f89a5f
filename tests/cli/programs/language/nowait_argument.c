// SPDX-License-Identifier: Apache-2.0
// nowait with an argument, of OpenMP 6.0: it is evaluated before the construct.
#include <stdio.h>

enum { THREADS = 4, N = 400 };

static int element[N];
static int bad;

static void expect(int holds) {
  if (!holds) {
#pragma omp atomic write
    bad = 1;
  }
}

static void slow(void) {
  for (volatile int i = 0; i < 100000; i++) {
  }
}

static void wait_for_loop(int never) {
#pragma omp for schedule(static) nowait(never)
  for (int i = 0; i < N; i++) {
    if (i == N - 1) slow();
    element[i] = 1;
  }
  int sum = 0;
  for (int i = 0; i < N; i++) sum += element[i];
  expect(sum == N);
}

static void wait_for_the_rest(int never) {
  static int value, other;
#pragma omp single nowait(never)
  {
    slow();
    value = 1;
    never = 1;
  }
  expect(value == 1);
#pragma omp barrier
#pragma omp sections nowait(never && 0)
  {
#pragma omp section
    slow();
#pragma omp section
    other = 1;
  }
  expect(other == 1);
#pragma omp barrier
#pragma omp scope nowait(0)
  {
    slow();
#pragma omp atomic
    other++;
  }
  expect(other == 1 + THREADS);
}

// Nobody would leave if one waited.
static void go_on(int always) {
  static int released;
#pragma omp single nowait(always)
  {
    int seen = 0;
    while (!seen) {
#pragma omp atomic read
      seen = released;
    }
  }
#pragma omp atomic write
  released = 1;
}

int main(void) {
#pragma omp parallel num_threads(THREADS) safesync
  {
    wait_for_loop(0);
    wait_for_the_rest(0);
  }
#pragma omp parallel num_threads(2) safesync(1)
  go_on(1);
  int x = 0;
#pragma omp target nowait(x) map(tofrom : x)
  x = 5;
  expect(x == 5);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    {
      slow();
      x = 6;
    }
#pragma omp taskwait depend(in : x) nowait(0)
    expect(x == 6);
  }
  puts(bad ? "failed" : "passed");
  return bad;
}
