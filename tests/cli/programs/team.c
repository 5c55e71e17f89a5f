/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the size of a team, which file serves it, and which OpenMP libraries are mapped. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

void GOMP_parallel(void (*)(void*), void*, unsigned, unsigned);

int main(void) {
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  printf("threads %d\n", threads);

  Dl_info info;
  if (dladdr(dlsym(RTLD_DEFAULT, "GOMP_parallel"), &info) != 0) {
    printf("served by %s\n", info.dli_fname);
  }
  if (dladdr(dlsym(RTLD_DEFAULT, "sched_yield"), &info) != 0) {
    printf("yields by %s\n", info.dli_fname);
  }

  char line[4096];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    const char* path = strchr(line, '/');
    const char* name = strrchr(line, '/');
    if (name != NULL && strstr(line, "p 00000000 ") != NULL &&
        (strstr(name, "omp") != NULL || strstr(name, "bobbin") != NULL)) {
      printf("maps %s", path);
    }
  }
  return 0;
}
