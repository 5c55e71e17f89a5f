/* SPDX-License-Identifier: Apache-2.0 */
/* Sends signals to an OpenMP thread that waits, and prints what became of them. */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int received;

static void handle(int signal) { received += signal >= SIGRTMIN; }

int main(void) {
  pthread_t other;
  int there = -1, sent = -1, queued = -1;
  signal(SIGRTMIN, handle);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) other = pthread_self();
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      there = pthread_kill(other, 0);
      sent = pthread_kill(other, SIGRTMIN);
      while (received < (sent == 0)) continue;
      queued = pthread_sigqueue(other, SIGRTMIN, (union sigval){0});
      while (received < (sent == 0) + (queued == 0)) continue;
    }
#pragma omp barrier
  }
  printf("there %d sent %d queued %d received %d\n", there, sent, queued, received);
  return 0;
}
