/* SPDX-License-Identifier: Apache-2.0 */
/* Prints which OpenMP libraries are mapped; opens those that its arguments name first. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int omp_get_num_procs(void);

int main(int count, char** names) {
  for (int i = 1; i < count; i++) {
    void* handle = dlopen(names[i], RTLD_NOW);
    if (handle == NULL) {
      printf("%s\n", dlerror());
      return 1;
    }
    Dl_info info;
    if (dladdr(dlsym(handle, "omp_get_num_procs"), &info) != 0) {
      printf("%s leads to %s\n", names[i], info.dli_fname);
    }
  }
  printf("%d processors\n", omp_get_num_procs());
  char line[4096];
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    const char* path = strchr(line, '/');
    if (path != NULL && strstr(line, " r-xp ") != NULL) printf("maps %s", path);
  }
  return 0;
}
