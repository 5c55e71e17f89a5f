// SPDX-License-Identifier: Apache-2.0
// Threads of the program let one of them at a time open a region, and the others spin meanwhile.
// Each thread first asks how many threads it gets. In another case a region waits for a thread that
// asks.
#include <pthread.h>

#include "check.h"

enum { kRoots = 4, kTurns = kSlow ? 20 : 100 };

static int taken, in_turn;

static void* take_turns(void* sum) {
  for (int turn = 0; turn < kTurns; turn++) {
    const int size = omp_get_max_threads();
    while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE) != 0) {
    }
    CHECK_EQ(add_one(&in_turn), 1);
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    CHECK_EQ(threads, size);
    *(int*)sum += threads;
    __atomic_sub_fetch(&in_turn, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
  }
  return sum;
}

static void one_at_a_time(void) {
  pthread_t roots[kRoots];
  int sums[kRoots] = {0};
  for (int i = 0; i < kRoots; i++) {
    CHECK_EQ(pthread_create(&roots[i], NULL, take_turns, &sums[i]), 0);
  }
  for (int i = 0; i < kRoots; i++) {
    pthread_join(roots[i], NULL);
    CHECK_EQ(sums[i], kTurns * omp_get_max_threads());
  }
}

static int wanted, given;

static void* give_one(void* unused) {
  for (int turn = 1; turn <= kTurns; turn++) {
    while (load(&wanted) < turn) sched_yield();
    omp_get_max_threads();
    store(&given, turn);
#pragma omp parallel
    {
    }
  }
  return unused;
}

// A region that continues only when a thread that asks has continued, too.
static void region_needs_who_asks(void) {
  pthread_t other;
  CHECK_EQ(pthread_create(&other, NULL, give_one, NULL), 0);
  for (int turn = 1; turn <= kTurns; turn++) {
    omp_get_max_threads();
#pragma omp parallel
#pragma omp masked
    {
      store(&wanted, turn);
      while (load(&given) < turn) sched_yield();
    }
  }
  pthread_join(other, NULL);
}

int main(void) {
  CHECK_BEGIN();
  RUN(one_at_a_time);
  RUN(region_needs_who_asks);
  return check_end();
}
