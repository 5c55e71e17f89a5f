// SPDX-License-Identifier: Apache-2.0
// What `bobbin profile --pid` looks at: for some seconds regions of known shape by turns. Then it
// checks that nobody has made a system call fail meanwhile.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

static int failed_calls;
static int waits;

__attribute__((noinline)) static void burn(double seconds) {
  const double end = omp_get_wtime() + seconds;
  while (omp_get_wtime() < end) {
    for (volatile int i = 0; i < 1000; i++) continue;
  }
}

// Half a second in a call that the kernel does not restart.
static void wait_in_kernel(void) {
  const int events = epoll_create1(0);
  struct epoll_event event;
  if (epoll_wait(events, &event, 1, 500) != 0) {
    perror("epoll_wait");
    failed_calls++;
  }
  close(events);
}

static void many_barriers(double end) {
  int over = 0;
#pragma omp parallel num_threads(32)
  for (;;) {
#pragma omp single
    over = omp_get_wtime() >= end;
    if (over) break;
#pragma omp barrier
  }
}

int main(int argc, char** argv) {
  const double end = omp_get_wtime() + (argc > 1 ? atof(argv[1]) : 1);
  if (argc > 2) many_barriers(end);
  while (omp_get_wtime() < end) {
#pragma omp parallel num_threads(2)  // line alone
    if (omp_get_thread_num() == 0) burn(0.1);
#pragma omp parallel num_threads(2)
    {
#pragma omp critical  // line critical
      burn(0.05);
    }
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task  // line task
      {
        burn(0.1);
        waits++;
      }
#pragma omp taskwait
    }
#pragma omp parallel num_threads(2)  // line kernel
    if (omp_get_thread_num() == 1) wait_in_kernel();
  }
  printf("%d calls failed, %d tasks\n", failed_calls, waits != 0);
  return failed_calls != 0;
}
