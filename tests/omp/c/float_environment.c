/* SPDX-License-Identifier: Apache-2.0
 * Each thread has its own rounding mode. The mode that a thread sets in its part of the region also
 * holds for the tasks that it executes later, on any kernel thread. */
#include <fenv.h>

#include "check.h"

enum { kTasks = 300 };

static const int kModes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static int mode_of(int thread) { return kModes[thread % 4]; }

/* Long enough that other threads take some of the tasks. */
static void take_some_time(void) {
  for (volatile int i = 0; i < 5000; i++) continue;
}

/* Tasks of the first thread, made when the others have reached the end of their parts. */
static void of_each_thread(void) {
  for (int round = 0; round < repeats(100); round++) {
    int ended = 0, ran = 0;
#pragma omp parallel shared(ended, ran)
    {
      fesetround(mode_of(omp_get_thread_num()));
      if (omp_get_thread_num() != 0) {
        add_one(&ended);
      } else {
        while (load(&ended) < omp_get_num_threads() - 1) sched_yield();
        for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(ran)
          {
            take_some_time();
            CHECK_EQ(fegetround(), mode_of(omp_get_thread_num()));
            add_one(&ran);
          }
        }
      }
    }
    CHECK_EQ(ran, kTasks);
    CHECK_EQ(fegetround(), mode_of(0));
  }
}

/* Kernel threads that other runtimes keep have the mode of the region that made them. */
static void inherited(void) {
  if (!on_bobbin()) return;
  for (int round = 0; round < repeats(100); round++) {
    int mode = mode_of(round);
    fesetround(mode);
#pragma omp parallel
    {
      CHECK_EQ(fegetround(), mode);
#pragma omp master
      for (int i = 0; i < kTasks; i++) {
#pragma omp task
        {
          take_some_time();
          CHECK_EQ(fegetround(), mode);
        }
      }
    }
  }
  fesetround(FE_TONEAREST);
}

int main(void) {
  CHECK_BEGIN();
  RUN(of_each_thread);
  RUN(inherited);
  return check_end();
}
