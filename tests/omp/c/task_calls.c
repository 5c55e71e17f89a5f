// SPDX-License-Identifier: Apache-2.0
// Tasks that need each other, made directly one after the other while the other threads of the team
// have nothing left to do. Each task must find a thread, without the maker's help.
#include "check.h"

enum { kTurns = 40 };

static void pair(void) {
  int begun = 0;
#pragma omp parallel num_threads(3) shared(begun)
  {
    if (omp_get_thread_num() == 0 && omp_get_num_threads() == 3) {
      for (int i = 0; i < 2; i++) {
#pragma omp task shared(begun)
        {
          __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
          while (__atomic_load_n(&begun, __ATOMIC_RELAXED) < 2) {
          }
        }
      }
      while (__atomic_load_n(&begun, __ATOMIC_RELAXED) < 2) {
      }
    } else if (omp_get_num_threads() < 3) {
      begun = 2;
    }
  }
  CHECK(begun == 2);
}

static void pairs(void) {
  for (int turn = 0; turn < kTurns; turn++) pair();
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(pairs);
  return check_end();
}
