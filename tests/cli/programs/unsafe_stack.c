// SPDX-License-Identifier: Apache-2.0
// Arrays whose addresses are taken: with -fsanitize=safe-stack they lie on a second stack.
#include <omp.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static void fill(char* array, int value) { memset(array, value, 64); }

int main(void) {
  int wrong = 0;
#pragma omp parallel num_threads(9) reduction(+ : wrong)
  {
    char array[64];
    fill(array, omp_get_thread_num());
#pragma omp barrier
    for (int i = 0; i < 64; i++) wrong += array[i] != omp_get_thread_num();
  }
  printf("wrong %d\n", wrong);
  return 0;
}
