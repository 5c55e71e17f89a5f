// SPDX-License-Identifier: Apache-2.0
// A signal for the process (alarm, kill, Ctrl-C) is handled by a thread of the program that does
// not block it, and the handler sees that thread's identity.
#include <sys/time.h>

#include "../common/abuse.h"

enum { kThreads = 8, kSignals = 200 };

static pthread_t ids[kThreads];
static int by_initial, by_others, wrong;

static void note(int signal) {
  (void)signal;
  const int me = omp_get_thread_num();
  if (!pthread_equal(pthread_self(), ids[me])) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(me == 0 ? &by_initial : &by_others, 1, __ATOMIC_RELAXED);
}

static int handled(void) {
  return __atomic_load_n(&by_initial, __ATOMIC_RELAXED) +
         __atomic_load_n(&by_others, __ATOMIC_RELAXED);
}

static void install(int signal) {
  struct sigaction action = {0};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  CHECK(sigaction(signal, &action, NULL) == 0);
}

static void one_region(void) {
#pragma omp parallel num_threads(kThreads)
  {
    volatile double x = 0;
    for (int i = 0; i < 50000; i++) x += i;
#pragma omp critical
    for (int i = 0; i < 1000; i++) x += i;
#pragma omp barrier
  }
}

static void know_ids(void) {
#pragma omp parallel num_threads(kThreads)
  ids[omp_get_thread_num()] = pthread_self();
}

static void by_timer(void) {
  const struct itimerval often = {{0, 2000}, {0, 2000}}, never = {{0, 0}, {0, 0}};
  know_ids();
  install(SIGALRM);
  CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
  while (handled() < kSignals) one_region();
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
  CHECK(wrong == 0);
}

static volatile int stop;

static void* kill_process(void* unused) {
  (void)unused;
  for (int i = 0; i < kSignals; i++) {
    const int before = handled();
    CHECK(kill(getpid(), SIGUSR1) == 0);
    while (handled() == before) usleep(500);
  }
  stop = 1;
  return NULL;
}

static void start_killer(pthread_t* killer) {
  sigset_t all, before;
  sigfillset(&all);
  CHECK(pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
  CHECK(pthread_create(killer, NULL, kill_process, NULL) == 0);
  CHECK(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
}

static void by_kill(void) {
  pthread_t killer;
  know_ids();
  install(SIGUSR1);
  start_killer(&killer);
  while (!stop) one_region();
  CHECK(pthread_join(killer, NULL) == 0);
  CHECK(wrong == 0);
}

// The initial thread blocks the signal, the others do not.
static void only_fibers(void) {
  pthread_t killer;
  sigset_t usr;
  sigemptyset(&usr);
  sigaddset(&usr, SIGUSR1);
  CHECK(pthread_sigmask(SIG_BLOCK, &usr, NULL) == 0);
  know_ids();
  install(SIGUSR1);
  start_killer(&killer);
  int done = 0;
  while (!done) {
#pragma omp parallel num_threads(kThreads)
    {
      if (omp_get_thread_num() != 0) CHECK(pthread_sigmask(SIG_UNBLOCK, &usr, NULL) == 0);
      volatile double x = 0;
      for (int i = 0; i < 50000; i++) x += i;
#pragma omp barrier
#pragma omp masked
      done = stop;
    }
  }
  CHECK(pthread_join(killer, NULL) == 0);
  CHECK(wrong == 0 && by_initial == 0 && by_others == kSignals);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"alarm", by_timer}, {"kill", by_kill}, {"only-fibers", only_fibers}, {NULL, NULL}};
  return run_case(cases, argc, argv);
}
