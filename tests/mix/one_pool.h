/* SPDX-License-Identifier: Apache-2.0
 * Do all halves and libraries of a program share one pool? */
#pragma once

#include <dirent.h>

#include "check.h"

inline int kernel_threads() {
  int count = 0;
  DIR* directory = opendir("/proc/self/task");
  while (dirent* entry = readdir(directory)) count += entry->d_name[0] != '.';
  closedir(directory);
  return count;
}

/* One pool has a kernel thread for each processor, the monitor, and one that stands by for the
 * root. The monitor starts spare threads behind threads that the machine keeps waiting. They rest
 * when they are idle, until a pause ends them. Two pools would have one more thread even on two
 * processors. `use_all` opens a region of two threads in each half or library. */
template <class UseAll>
void check_one_pool(UseAll use_all) {
  if (!on_bobbin() || strcmp(getenv("BOBBIN_PROVIDER"), "fiber") != 0) return;
  int most = omp_get_num_procs() + 2, seen = 0;
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
    use_all();
    seen = kernel_threads();
    if (seen <= most) return;
    usleep(50000);
  }
  fprintf(stderr, "%d kernel threads, %d processors\n", seen, omp_get_num_procs());
  CHECK(seen <= most);
}
