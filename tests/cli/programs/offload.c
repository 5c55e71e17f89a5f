/* SPDX-License-Identifier: Apache-2.0 */
/* Target regions on a device, also in tasks; prints what came back and what is known of devices. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  int values[100], sum = 0, initial = -1, tasks = 0;
  for (int i = 0; i < 100; i++) values[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : values)
  for (int i = 0; i < 100; i++) values[i] *= 2;
#pragma omp target map(from : initial)
  initial = omp_is_initial_device();
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp target nowait depend(inout : tasks) map(tofrom : tasks)
    tasks++;
  }
  int* memory = omp_target_alloc(sizeof *memory, 0);
  for (int i = 0; i < 100; i++) sum += values[i];
  printf("%d %d %d %d\n", sum, tasks, initial, memory != NULL);
  printf("%d devices, host %d\n", omp_get_num_devices(), omp_get_initial_device());
  omp_target_free(memory, 0);
  return 0;
}
