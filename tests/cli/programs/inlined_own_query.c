/* SPDX-License-Identifier: Apache-2.0
 * A program with a routine of OpenMP's of its own. */
#include <stdio.h>

int omp_get_thread_num(void) { return 77; }

int main(void) {
  int number = 0;
#pragma omp parallel num_threads(1)
  number = omp_get_thread_num();
  printf("%d\n", number);
  return 0;
}
