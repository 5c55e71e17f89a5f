// SPDX-License-Identifier: Apache-2.0
// A deliberate regression for `bobbin lab gate`: preloaded before a runtime, it lets every thread
// visit all threads of the team at each barrier, so that the barrier costs each of them a time that
// is linear in the team. On few processors most lines are near, so a visit takes several accesses:
// together about as long as fetching one line from afar.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdatomic.h>
#include <stddef.h>

enum { kMostThreads = 256, kLine = 64, kAccesses = 10 };

static struct {
  _Alignas(kLine) atomic_long visits;
} threads[kMostThreads];

void GOMP_barrier(void) {
  static void (*barrier)(void);
  if (barrier == NULL) barrier = (void (*)(void))dlsym(RTLD_NEXT, "GOMP_barrier");
  int team = omp_get_num_threads();
  for (int i = 0; i < team && i < kMostThreads; i++)
    for (int k = 0; k < kAccesses; k++) atomic_fetch_add(&threads[i].visits, 1);
  barrier();
}
