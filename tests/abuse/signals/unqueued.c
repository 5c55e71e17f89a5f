// SPDX-License-Identifier: Apache-2.0
// No signals can be queued, because the user has as many pending as the limit permits. Signals to
// threads in regions still interrupt their calls, and SIGURG is still the program's.
#include <sys/resource.h>

#include "../common/abuse.h"

enum { kThreads = 4 };

static int gate[2];
static volatile int waiting, stop;
static volatile sig_atomic_t urgent, called;

static void on_call(int signal) { (void)signal, called++; }
static void on_urgent(int signal) { (void)signal, urgent++; }

static void* work(void* interrupted) {
#pragma omp parallel num_threads(kThreads)
  if (omp_get_thread_num() == 0) {
    char byte;
    usleep(20000);
    waiting = 1;
    *(int*)interrupted = read(gate[0], &byte, 1) == -1 && errno == EINTR;
    stop = 1;
  } else {
    while (!stop) continue;
  }
  return NULL;
}

static void interrupt(void) {
  struct sigaction action = {0};
  action.sa_handler = on_call;
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && pipe(gate) == 0);
  pthread_t thread;
  int interrupted = 0;
  CHECK(pthread_create(&thread, NULL, work, &interrupted) == 0);
  while (!waiting) sched_yield();
  // Repeatedly, because the first may come before the call has begun.
  while (!stop) {
    CHECK(pthread_kill(thread, SIGUSR1) == 0);
    usleep(10000);
  }
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(interrupted && called > 0);
}

static void urgent_is_the_programs(void) {
  struct sigaction action = {0}, seen;
  CHECK(sigaction(SIGURG, NULL, &seen) == 0 && seen.sa_handler == SIG_DFL);
  interrupt();
  CHECK(sigaction(SIGURG, NULL, &seen) == 0 && seen.sa_handler == SIG_DFL);
  CHECK(raise(SIGURG) == 0 && urgent == 0);
  action.sa_handler = on_urgent;
  CHECK(sigaction(SIGURG, &action, &seen) == 0 && seen.sa_handler == SIG_DFL);
  CHECK(raise(SIGURG) == 0 && urgent == 1);
  CHECK(kill(getpid(), SIGURG) == 0);
  while (urgent == 1) sched_yield();
  action.sa_handler = SIG_IGN;
  CHECK(sigaction(SIGURG, &action, &seen) == 0 && seen.sa_handler == on_urgent);
  CHECK(raise(SIGURG) == 0 && urgent == 2);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"interrupt", interrupt}, {"urgent", urgent_is_the_programs}, {NULL, NULL}};
  const struct rlimit none = {0, 0};
  CHECK(setrlimit(RLIMIT_SIGPENDING, &none) == 0);
  return run_case(cases, argc, argv);
}
