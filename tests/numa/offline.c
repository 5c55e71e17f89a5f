// SPDX-License-Identifier: Apache-2.0
// Processors go offline while the program runs, and come back: omp_get_num_procs() and the regions'
// sizes follow, and regions whose threads wait for each other end. As root, on a machine of its
// own. Built and run by scripts/test-numa.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { kAll = 16, kLeft = 6 };

static void set_online(int online) {
  for (int cpu = kLeft; cpu < kAll; cpu++) {
    char path[64];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/online", cpu);
    FILE* file = fopen(path, "w");
    if (file == NULL || fprintf(file, "%d\n", online) < 0 || fclose(file) != 0) {
      perror(path);
      exit(1);
    }
  }
}

static int dynamic_team(void) {
  int size = 0;
#pragma omp parallel num_threads(64)
  {
#pragma omp barrier
#pragma omp single
    size = omp_get_num_threads();
  }
  return size;
}

static void wait_for(int processors) {
  while (dynamic_team() != processors || omp_get_num_procs() != processors) {
  }
  printf("processors: %d\n", processors);
}

static void expect_to_follow(void) {
  omp_set_dynamic(1);
  wait_for(kAll);
  for (int i = 0; i < 2; i++) {
    set_online(0);
    wait_for(kLeft);
    set_online(1);
    wait_for(kAll);
  }
  omp_set_dynamic(0);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  // The masks of bound threads are places, which stay.
  if (omp_get_proc_bind() == omp_proc_bind_false) expect_to_follow();
  // In the middle of a region.
  int sum = 0;
#pragma omp parallel num_threads(kAll) reduction(+ : sum)
  for (int i = 0; i < 4; i++) {
#pragma omp single
    set_online(i % 2);
    sum++;
#pragma omp barrier
  }
  return sum == 4 * kAll ? 0 : 1;
}
