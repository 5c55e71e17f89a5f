/* SPDX-License-Identifier: Apache-2.0 */
/* Uses the host's memory by the host's device number, with a library that knows two other devices.
 * Compiled as LIBRARY this is that library; otherwise its argument names it. */
#ifdef LIBRARY
int omp_get_num_devices(void) { return 2; }
int omp_get_initial_device(void) { return 2; }
int omp_get_device_num(void) { return 2; }
#else
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char** argv) {
  if (argc != 2 || dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == NULL) return 2;
  int host = omp_get_initial_device(), from = 41, to = 0;
  void* memory = omp_target_alloc(sizeof from, host);
  printf("host %d of %d\n", host, omp_get_num_devices());
  printf("memory %d, of another device %d\n", memory != NULL, omp_target_alloc(1, 1) != NULL);
  if (memory == NULL) return 1;
  int refused = omp_target_memcpy(memory, &from, sizeof from, 0, 0, host, host) != 0 ||
                omp_target_memcpy(&to, memory, sizeof to, 0, 0, host, host) != 0;
  printf("copied %d, present %d\n", !refused && to == from, omp_target_is_present(memory, host));
  omp_target_free(memory, host);
  return 0;
}
#endif
