// SPDX-License-Identifier: Apache-2.0
// A team and the program's own kernel thread wait for each other, in loops of sched_yield().
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "common.h"

static const char kUsage[] = "poll [rounds=1000]\n";

static long rounds;
static int team;
static _Alignas(128) atomic_long answered;
static _Alignas(128) atomic_long arrived;

static void* answer(void* unused) {
  for (long round = 1; round <= rounds; round++) {
    while (atomic_load(&arrived) < round * team) sched_yield();
    atomic_store(&answered, round);
  }
  return unused;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  rounds = (long)arg_number(argc, argv, "rounds", 1000);
#pragma omp parallel
#pragma omp single
  team = omp_get_num_threads();

  pthread_t other;
  require(pthread_create(&other, NULL, answer, NULL) == 0, "a second kernel thread");
  double start = seconds();
#pragma omp parallel
  {
    // Otherwise the other side would wait for the missing threads.
    if (omp_get_thread_num() == 0) require(omp_get_num_threads() == team, "the team came again");
    for (long round = 1; round <= rounds; round++) {
      atomic_fetch_add(&arrived, 1);
      while (atomic_load(&answered) < round) sched_yield();
    }
  }
  double took = seconds() - start;
  pthread_join(other, NULL);
  require(arrived == rounds * team, "every thread took part in every round");
  print_metric("round_us", 1e6 * took / (double)rounds, "us");
  passed();
  return 0;
}
