// SPDX-License-Identifier: Apache-2.0
// A pthread that has bound itself to one processor opens the first region. The kernel threads that
// help it stay on that processor, but not when they help the main thread, which is not bound.
#include "masks.h"

static cpu_set_t one, all;
static pthread_barrier_t barrier;

static void* bound_root(void* unused) {
  CHECK(pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0);
  const cpu_set_t mask = mask_of_helper();
  CHECK(CPU_EQUAL(&mask, &one));
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return unused;
}

static void first_region(void) {
  all = kernel_mask();
  if (CPU_COUNT(&all) < 2) exit(kSkip);
  one = last_of(&all);
  pthread_t thread;
  pthread_barrier_init(&barrier, NULL, 2);
  CHECK(pthread_create(&thread, NULL, bound_root, NULL) == 0);
  pthread_barrier_wait(&barrier);
  // A helper may still be working for the other region.
  int free = 0;
  for (int i = 0; i < 200 && !free; i++) {
    const cpu_set_t mask = mask_of_helper();
    free = CPU_EQUAL(&mask, &all);
  }
  CHECK(free);
  pthread_barrier_wait(&barrier);
  CHECK(pthread_join(thread, NULL) == 0);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"first-region", first_region},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
