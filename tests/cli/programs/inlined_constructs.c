/* SPDX-License-Identifier: Apache-2.0
 * Constructs of which nothing needs the runtime in a team of one. Prints a sum that all give. */
#include <stdio.h>

enum { kTimes = 100 };

int main(void) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (int i = 0; i < kTimes; i++) {
#pragma omp taskgroup
    sum += i % 2;
#pragma omp single nowait
    sum += 1;
#pragma omp critical(section)
    sum += 0;
#pragma omp for nowait
    for (int j = 0; j < 10; j++) sum += j;
  }
  printf("sum %ld\n", sum);
  return 0;
}
