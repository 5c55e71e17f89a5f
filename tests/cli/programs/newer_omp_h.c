// SPDX-License-Identifier: Apache-2.0
// Names of omp.h that older compilers' own lacks.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int x = 0;
  int distance = -1;
  const int host = omp_get_initial_device();
  omp_interop_t object = omp_interop_none;
  omp_interop_rc_t why = omp_irc_success;
  int explicit_task = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(explicit_task) if (0)
  explicit_task = omp_in_explicit_task();
  omp_get_device_distances(1, &host, &distance);
  omp_target_memset(&x, 1, 1, host);
  omp_get_interop_int(object, omp_ipr_device_num, (int*)&why);
  printf("%d %d %d %d %d %d %d %d\n", explicit_task, omp_get_mapped_ptr(&x, host) == &x,
         omp_target_is_accessible(&x, sizeof x, host), omp_is_free_agent(),
         omp_get_num_threads_dim(0), distance, x, why == omp_irc_empty);
}
