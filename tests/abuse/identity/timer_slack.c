// SPDX-License-Identifier: Apache-2.0
// The kernel's timer slack of threads and of their children is the program's own.
#include "../common/abuse.h"

enum { kThreads = 12 };

static long wanted;

static void* check(void* unused) {
  (void)unused;
  CHECK(prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) == wanted);
  return NULL;
}

static void check_all(void) {
  pthread_t thread;
  check(NULL);
  CHECK(pthread_create(&thread, NULL, check, NULL) == 0 && pthread_join(thread, NULL) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    check(NULL);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

// The threads block, so that the monitor makes kernel threads.
int main(void) {
  alarm(kPatience);
  wanted = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  pthread_barrier_t all_here;
  pthread_barrier_init(&all_here, NULL, kThreads);
  omp_set_dynamic(0);
#pragma omp parallel num_threads(kThreads)
  {
    pthread_barrier_wait(&all_here);
#pragma omp critical
    check_all();
    pthread_barrier_wait(&all_here);
  }
  return 0;
}
