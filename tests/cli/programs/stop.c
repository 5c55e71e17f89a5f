// SPDX-License-Identifier: Apache-2.0
// One thread of a region calls a function where a debugger may stop it.
#include <omp.h>

__attribute__((noinline)) static void stop_here(int number) {
  __asm__ volatile("" : : "r"(number) : "memory");
}

int main(void) {
#pragma omp parallel num_threads(4)
  if (omp_get_thread_num() == 2) stop_here(2);
  return 0;
}
