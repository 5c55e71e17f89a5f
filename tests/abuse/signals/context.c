// SPDX-License-Identifier: Apache-2.0
// What a handler finds in its context is the same however the runtime comes to call it: the mask
// that the thread had before, which is also the mask that it gets back, unless the handler changes
// it there.
#include <ucontext.h>

#include "../common/abuse.h"

enum { kThreads = 6, kRounds = 30 };

static pthread_t ids[kThreads];
static _Thread_local volatile int handled, wrong, to_block;
static volatile int stop;

static void look(int signal, siginfo_t* info, void* context) {
  ucontext_t* at = context;
  const int me = omp_get_thread_num();
  sigset_t now;
  CHECK(info->si_signo == signal);
  CHECK(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
  wrong += sigismember(&at->uc_sigmask, signal) || !sigismember(&now, signal);
  wrong += sigismember(&at->uc_sigmask, SIGUSR2) || !sigismember(&now, SIGUSR2);
  for (int i = 0; i < kThreads; i++) {
    wrong += sigismember(&at->uc_sigmask, SIGRTMIN + i) != (i == me);
    wrong += sigismember(&now, SIGRTMIN + i) != (i == me);
  }
  if (to_block) sigaddset(&at->uc_sigmask, to_block);
  handled++;
}

static void* send_to_all(void* unused) {
  (void)unused;
  while (!stop) {
    for (int i = 0; i < kThreads; i++) CHECK(pthread_kill(ids[i], SIGUSR1) == 0);
    usleep(500);
  }
  return NULL;
}

static void check_mask(int blocked) {
  sigset_t now;
  CHECK(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
  CHECK(!sigismember(&now, SIGUSR1) && sigismember(&now, SIGUSR2) == blocked);
}

static void begin(void) {
  struct sigaction action = {0};
  action.sa_sigaction = look;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaddset(&action.sa_mask, SIGUSR2);
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
}

static void block_own(void) {
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGRTMIN + omp_get_thread_num());
  CHECK(pthread_sigmask(SIG_BLOCK, &own, NULL) == 0);
}

// Noted, and handled where the thread computes or comes back from a wait.
static void sent(void) {
  begin();
  pthread_t sender;
#pragma omp parallel num_threads(kThreads)
  {
    block_own();
    ids[omp_get_thread_num()] = pthread_self();
#pragma omp barrier
#pragma omp masked
    CHECK(pthread_create(&sender, NULL, send_to_all, NULL) == 0);
    for (int round = 0; round < kRounds; round++) {
      const int before = handled;
      while (handled == before) continue;
#pragma omp barrier
      check_mask(0);
    }
    CHECK(wrong == 0);
#pragma omp barrier
    stop = 1;
  }
  CHECK(pthread_join(sender, NULL) == 0);
}

// Sent by the thread to itself.
static void raised(void) {
  begin();
#pragma omp parallel num_threads(kThreads)
  {
    block_own();
    for (int round = 0; round < kRounds; round++) {
      CHECK(raise(SIGUSR1) == 0 && handled == round + 1);
      check_mask(0);
#pragma omp barrier
    }
    CHECK(wrong == 0);
  }
}

// Pending until it is unblocked.
static void unblocked(void) {
  begin();
#pragma omp parallel num_threads(kThreads)
  {
    block_own();
    sigset_t usr;
    sigemptyset(&usr);
    sigaddset(&usr, SIGUSR1);
    ids[omp_get_thread_num()] = pthread_self();
#pragma omp barrier
    for (int round = 0; round < kRounds; round++) {
      CHECK(pthread_sigmask(SIG_BLOCK, &usr, NULL) == 0);
#pragma omp barrier
      CHECK(pthread_kill(ids[(omp_get_thread_num() + 1) % kThreads], SIGUSR1) == 0);
#pragma omp barrier
      CHECK(handled == round);
      CHECK(pthread_sigmask(SIG_UNBLOCK, &usr, NULL) == 0);
      CHECK(handled == round + 1);
      check_mask(0);
    }
    CHECK(wrong == 0);
  }
}

// The handler changes the mask for the time after it.
static void changed(void) {
  begin();
#pragma omp parallel num_threads(kThreads)
  {
    block_own();
    to_block = SIGUSR2;
    CHECK(raise(SIGUSR1) == 0 && handled == 1 && wrong == 0);
    check_mask(1);
#pragma omp barrier
    check_mask(1);
  }
}

// After signal(SIG_IGN), and after a handler that is for one signal only, nothing is handled.
static void no_longer(void) {
  for (int once = 0; once < 2; once++) {
    struct sigaction action = {0};
    action.sa_sigaction = look;
    action.sa_flags = SA_SIGINFO | (once ? (int)SA_RESETHAND : 0);
    sigaddset(&action.sa_mask, SIGUSR2);
    CHECK(sigaction(SIGWINCH, &action, NULL) == 0);
#pragma omp parallel num_threads(kThreads)
    {
      block_own();
      handled = 0;
      ids[omp_get_thread_num()] = pthread_self();
#pragma omp barrier
      if (omp_get_thread_num() == 1) {
        if (!once) CHECK(signal(SIGWINCH, SIG_IGN) != SIG_ERR);
        if (once) CHECK(raise(SIGWINCH) == 0 && handled == 1);
        for (int i = 0; i < kThreads; i++) CHECK(pthread_kill(ids[i], SIGWINCH) == 0);
      }
#pragma omp barrier
      CHECK(handled == (once && omp_get_thread_num() == 1));
    }
  }
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"sent", sent},       {"raised", raised},       {"unblocked", unblocked},
      {"changed", changed}, {"no-longer", no_longer}, {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
