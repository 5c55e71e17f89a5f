// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdatomic.h>

#include "../common/abuse.h"

// The calling thread's affinity in the kernel, without interposed functions.
static inline cpu_set_t kernel_mask(void) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CHECK(syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask) > 0);
  return mask;
}

// The processors of a kernel thread other than the caller's. The two threads of the region wait for
// each other, so one kernel thread cannot carry both.
static inline cpu_set_t mask_of_helper(void) {
  const pid_t own = gettid();
  cpu_set_t mask;
  atomic_int begun = 0;
  CPU_ZERO(&mask);
#pragma omp parallel num_threads(2)
  {
    CHECK(omp_get_num_threads() == 2);
    if (gettid() != own) {
      const cpu_set_t mine = kernel_mask();
#pragma omp critical
      mask = mine;
    }
    begun++;
    while (begun < 2) {
    }
  }
  return mask;
}

// The last processor of a set.
static inline cpu_set_t last_of(const cpu_set_t* set) {
  cpu_set_t one;
  CPU_ZERO(&one);
  int cpu = CPU_SETSIZE - 1;
  while (!CPU_ISSET(cpu, set)) cpu--;
  CPU_SET(cpu, &one);
  return one;
}
