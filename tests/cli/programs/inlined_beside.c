/* SPDX-License-Identifier: Apache-2.0
 * Loads another runtime, calls into it, and then uses its own one. */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

typedef int query(void);

int main(int argc, char** argv) {
  int right = 0, done = 0;
  void* other = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  query* ask = other != NULL ? (query*)dlsym(other, "omp_get_max_threads") : NULL;
  if (ask == NULL || ask() < 1) return 1;
#pragma omp parallel num_threads(2) reduction(+ : right)
  right += omp_get_num_threads() == 2 && omp_get_thread_num() < 2;
  for (int i = 0; i < 1000; i++) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
      int before = 0;
#pragma omp task depend(out : before) shared(before)
      before = 1;
#pragma omp taskwait
      done += before;
    }
  }
  printf("%d threads right, %d tasks awaited\n", right, done);
  return 0;
}
