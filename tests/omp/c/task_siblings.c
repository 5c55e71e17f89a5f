// SPDX-License-Identifier: Apache-2.0
// Tasks that wait for a task which is made after them. They do not use taskwait but read a
// variable.
#include "check.h"

enum { kTasks = 48, kWaiting = 6 };

static void waits_for_later(void) {
  int last_done = 0, ended = 0;
#pragma omp parallel shared(last_done, ended)
#pragma omp single
  if (omp_get_num_threads() > 1) {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(last_done, ended) firstprivate(i)
      {
        if (i == kTasks - 1) __atomic_store_n(&last_done, 1, __ATOMIC_RELEASE);
        while (i == kWaiting && !__atomic_load_n(&last_done, __ATOMIC_ACQUIRE)) {
        }
        __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
      }
    }
  } else {
    ended = kTasks;  // each task runs at once
  }
  CHECK_EQ(ended, kTasks);
}

int main(void) {
  CHECK_BEGIN();
  for (int turn = 0; turn < 20; turn++) RUN(waits_for_later);
  return check_end();
}
