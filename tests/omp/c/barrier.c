/* SPDX-License-Identifier: Apache-2.0
 * barrier and flush: no thread leaves before all have arrived, phase after phase. Tasks are
 * finished at a barrier. Barriers of inner and outer teams do not mix. */
#include <sched.h>

#include "check.h"

static void phases(void) {
  int n = omp_get_max_threads(), rounds = repeats(2000);
  int* arrived = calloc(rounds, sizeof *arrived);
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
    add_one(&arrived[round]);
#pragma omp barrier
    CHECK_EQ(load(&arrived[round]), n);
    if (round + 1 < rounds) CHECK(load(&arrived[round + 1]) <= n);
  }
  free(arrived);
}

/* Plain stores before a barrier are seen after it. */
static void visibility(void) {
  int n = omp_get_max_threads(), rounds = repeats(600);
  int* plain = calloc(n, sizeof *plain);
#pragma omp parallel
  for (int round = 1; round <= rounds; round++) {
    int me = omp_get_thread_num();
    plain[me] = round;
#pragma omp barrier
    CHECK_EQ(plain[(me + 1) % n], round);
    CHECK_EQ(plain[(me + n / 2) % n], round);
#pragma omp barrier
  }
  free(plain);
}

/* Uneven arrival: every thread in turn comes last. */
static void stragglers(void) {
  int n = omp_get_max_threads(), rounds = min_int(n, 20), arrived = 0;
#pragma omp parallel shared(arrived)
  for (int round = 0; round < rounds; round++) {
    if (omp_get_thread_num() == round * (n / rounds)) {
      while (load(&arrived) < (round + 1) * n - 1) sched_yield();
    }
    add_one(&arrived);
#pragma omp barrier
    CHECK_EQ(load(&arrived), (round + 1) * n);
#pragma omp barrier
  }
}

static void completes_tasks(void) {
  int n = omp_get_max_threads(), ran = 0;
#pragma omp parallel
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 4; i++) {
#pragma omp task shared(ran)
      {
#pragma omp task shared(ran)
        add_one(&ran);
        add_one(&ran);
      }
    }
#pragma omp barrier
    CHECK_EQ(load(&ran), 8 * n * (round + 1));
#pragma omp barrier
  }
}

static void inner_and_outer(void) {
  int outer = min_int(omp_get_max_threads(), 4);
  int arrived_outer = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer) shared(arrived_outer)
  for (int round = 1; round <= 3; round++) {
    int arrived = 0;
#pragma omp parallel num_threads(2 + omp_get_thread_num() % 3) shared(arrived)
    {
      int size = omp_get_num_threads();
      for (int phase = 1; phase <= 4; phase++) {
        add_one(&arrived);
#pragma omp barrier
        CHECK_EQ(load(&arrived), size * phase);
#pragma omp barrier
      }
    }
    add_one(&arrived_outer);
#pragma omp barrier
    CHECK_EQ(load(&arrived_outer), outer * round);
#pragma omp barrier
  }
}

/* The specification's own example of flush: a message and its flag. */
static void flushes(void) {
  volatile int flag = 0;
  volatile int data = 0;
  if (omp_get_max_threads() < 2) return;
#pragma omp parallel num_threads(2) shared(flag, data)
  {
    if (omp_get_thread_num() == 0) {
      data = 17;
#pragma omp flush(data, flag)
#pragma omp atomic write
      flag = 1;
#pragma omp flush(flag)
    } else {
      int seen = 0;
      while (!seen) {
        sched_yield();
#pragma omp flush(flag, data)
#pragma omp atomic read
        seen = flag;
      }
#pragma omp flush acquire
      CHECK_EQ(data, 17);
    }
#pragma omp flush
#ifndef GAP_flush_seq_cst
#pragma omp flush seq_cst
#endif
#pragma omp flush release
#pragma omp flush acq_rel
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(phases);
  RUN(visibility);
  RUN(stragglers);
  RUN(completes_tasks);
  RUN(inner_and_outer);
#if !defined(__SANITIZE_THREAD__) /* it does not know fences */
  RUN(flushes);
#endif
  return check_end();
}
