// SPDX-License-Identifier: Apache-2.0
// Two kernel threads let one of them at a time open a region, after they have asked for the number
// of threads.
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void* take_turns(void* unused) {
  for (int i = 0; i < 100; i++) {
    omp_get_max_threads();
    pthread_mutex_lock(&turn);
#pragma omp parallel
    {
      double end = omp_get_wtime() + 0.0005;
      while (omp_get_wtime() < end) {
      }
    }
    pthread_mutex_unlock(&turn);
  }
  return unused;
}

int main(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, take_turns, NULL) != 0) return 1;
  take_turns(NULL);
  return pthread_join(other, NULL);
}
