/* SPDX-License-Identifier: Apache-2.0
 * A recursion of included tasks with arrays of variable size, which lie below other variables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long descend(int levels, int size) {
  char array[size];
  long below = 0;
  memset(array, 1, (size_t)size);
  if (levels == 0) return array[size / 2];
#pragma omp task shared(below, array)
  below = descend(levels - 1, size) + array[size / 2];
#pragma omp taskwait
  return below;
}

int main(int argc, char** argv) {
  const int levels = argc > 2 ? atoi(argv[1]) : 10, size = argc > 2 ? atoi(argv[2]) : 10;
  long result = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task final(1) shared(result)
  result = descend(levels, size);
  printf("%ld\n", result);
  return 0;
}
