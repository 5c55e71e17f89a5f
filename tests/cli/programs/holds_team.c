/* SPDX-License-Identifier: Apache-2.0
 * Runs a team, says so, and waits for its input. */
#include <stdio.h>

int main(void) {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads += 1;
  puts(threads > 0 ? "up" : "no team");
  fflush(stdout);
  getchar();
  return 0;
}
