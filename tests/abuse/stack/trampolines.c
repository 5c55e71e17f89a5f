// SPDX-License-Identifier: Apache-2.0
// Nested functions of GNU C, whose addresses point to code on the stack. The same holds for
// internal procedures that Fortran programs pass as arguments.
#include "../common/abuse.h"

static int __attribute__((noinline)) twice(int (*function)(int), int value) {
  return function(function(value));
}

static int __attribute__((noinline)) through_a_trampoline(void) {
  volatile int me = omp_get_thread_num();
  int add_me(int value) { return value + me; }
  return twice(add_me, 1);
}

static int sum_over_threads(int threads) {
  int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    sum += through_a_trampoline();
#pragma omp barrier
    sum += through_a_trampoline();
  }
  return sum;
}

#if defined(TRAMPOLINE_LIBRARY)
int in_library(int threads) { return sum_over_threads(threads); }
#else
static void nested_functions(void) {
  for (int turn = 0; turn < 10; turn++) CHECK(sum_over_threads(8) == 2 * (8 + 2 * 28));
}
int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {{"nested-functions", nested_functions}, {NULL, NULL}};
  return run_case(cases, argc, argv);
}
#endif
