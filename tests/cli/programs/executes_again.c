// SPDX-License-Identifier: Apache-2.0
// A process that executes this program again every few milliseconds, so it is starting most of the
// time.
#include <omp.h>
#include <unistd.h>

int main(int count, char** arguments) {
  (void)count;
#pragma omp parallel
  usleep(2000);
  execv("/proc/self/exe", arguments);
  return 1;
}
