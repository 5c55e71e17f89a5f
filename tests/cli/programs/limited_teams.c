// SPDX-License-Identifier: Apache-2.0
// thread_limit of target holds for the teams region inside.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int most = 0, alone = 0;
  omp_set_num_threads(8);
#pragma omp target map(tofrom : most, alone) thread_limit(2)
  {
#pragma omp teams num_teams(2)
#pragma omp parallel
#pragma omp critical
    if (omp_get_num_threads() > most) most = omp_get_num_threads();
  }
#pragma omp target map(tofrom : alone) thread_limit(2)
#pragma omp parallel
#pragma omp single
  alone = omp_get_num_threads();
  printf("teams %d, parallel %d\n", most, alone);
  return most > 2 || alone > 2;
}
