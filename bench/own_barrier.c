// SPDX-License-Identifier: Apache-2.0
// A team with more threads than processors, whose threads meet at a barrier of the C library.
#include <omp.h>
#include <pthread.h>

#include "common.h"

static const char kUsage[] = "own_barrier [regions=1] [rounds=1000]\n";

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long regions = (long)arg_number(argc, argv, "regions", 1);
  long rounds = (long)arg_number(argc, argv, "rounds", 1000);
  int threads = omp_get_max_threads();
  long passed_it = 0;
  omp_set_dynamic(0);
  pthread_barrier_t barrier;
  require(pthread_barrier_init(&barrier, NULL, (unsigned)threads) == 0, "a barrier");
  double start = seconds();
  for (long region = 0; region < regions; region++) {
#pragma omp parallel reduction(+ : passed_it)
    {
      // Otherwise the others would wait for the missing threads.
      if (omp_get_thread_num() == 0) require(omp_get_num_threads() == threads, "every thread came");
      for (long round = 0; round < rounds; round++) {
        pthread_barrier_wait(&barrier);
        passed_it++;
      }
    }
  }
  double took = seconds() - start;
  pthread_barrier_destroy(&barrier);
  require(passed_it == regions * rounds * threads, "every thread met the others in every round");
  print_metric("region_ms", 1e3 * took / (double)regions, "ms");
  passed();
  return 0;
}
