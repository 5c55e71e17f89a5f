// SPDX-License-Identifier: Apache-2.0
// Handlers that are left by a jump: afterwards the thread is in no handler, and has the mask that
// the jump restores.
#include <setjmp.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>

#include "../common/abuse.h"

enum { kThreads = 4, kJumps = 50 };

static _Thread_local sigjmp_buf back;
static _Thread_local volatile int left_again;
static int masks_wrong;

static sigset_t only(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

static sigset_t own_mask(void) {
  sigset_t mask;
  CHECK(pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0);
  return mask;
}

static uint64_t kernel_mask(void) {
  uint64_t mask = 0;
  CHECK(syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof mask) == 0);
  return mask;
}

static void jump_back(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

static void install(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  action.sa_flags = flags;
  CHECK(sigaction(signal, &action, NULL) == 0);
}

// A time limit outside of regions. Later the thread blocks a signal, and it stays blocked in
// regions.
static void outside_by(int flags) {
  region(1);
  install(SIGALRM, jump_back, flags);
  for (int i = 0; i < 3; i++) {
    if (sigsetjmp(back, 1) == 0) {
      const struct itimerval soon = {{0, 0}, {0, 1000}};
      CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
      for (;;) pause();
    }
  }
  const sigset_t usr = only(SIGUSR1);
  CHECK(pthread_sigmask(SIG_BLOCK, &usr, NULL) == 0);
  for (int turn = 0; turn < 20; turn++) {
#pragma omp parallel num_threads(kThreads)
    {
      if (omp_get_thread_num() == 0) {
        const sigset_t mask = own_mask();
        CHECK(sigismember(&mask, SIGUSR1) && !sigismember(&mask, SIGALRM));
        CHECK((kernel_mask() >> (SIGUSR1 - 1) & 1) == 1);
        CHECK((kernel_mask() >> (SIGALRM - 1) & 1) == 0);
        if (turn == 10) CHECK(kill(getpid(), SIGUSR1) == 0);
      }
    }
  }
  const struct timespec limit = {kPatience, 0};
  CHECK(sigtimedwait(&usr, NULL, &limit) == SIGUSR1);
}

static void outside(void) { outside_by(0); }
static void outside_nodefer(void) { outside_by(SA_NODEFER); }
static void outside_onstack(void) {
  static char room[256 * 1024];
  const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  CHECK(sigaltstack(&stack, NULL) == 0);
  outside_by(SA_ONSTACK);
}

static pthread_t ids[kThreads];
static volatile int done;

static void* send_to_all(void* unused) {
  (void)unused;
  while (!done) {
    for (int i = 0; i < kThreads; i++) CHECK(pthread_kill(ids[i], SIGUSR1) == 0);
    usleep(500);
  }
  return NULL;
}

static _Thread_local volatile int armed;

static void jump_if_armed(int signal) {
  (void)signal;
  if (!armed) return;
  armed = 0;
  siglongjmp(back, 1);
}

// Each thread jumps out of handlers again and again, and has blocked a signal of its own.
static void inside(void) {
  install(SIGUSR1, jump_if_armed, 0);
  pthread_t sender;
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    const sigset_t own = only(SIGRTMIN + me);
    CHECK(pthread_sigmask(SIG_BLOCK, &own, NULL) == 0);
    ids[me] = pthread_self();
#pragma omp barrier
#pragma omp masked
    CHECK(pthread_create(&sender, NULL, send_to_all, NULL) == 0);
    for (volatile int jumps = 0; jumps < kJumps; jumps = jumps + 1) {
      if (sigsetjmp(back, 1) == 0) {
        armed = 1;
        while (armed) continue;
      }
      const sigset_t mask = own_mask();
      int wrong = sigismember(&mask, SIGUSR1);
      for (int i = 0; i < kThreads; i++) {
        wrong += sigismember(&mask, SIGRTMIN + i) != (i == me);
      }
      if (wrong) __atomic_fetch_add(&masks_wrong, 1, __ATOMIC_RELAXED);
#pragma omp barrier
    }
  }
  done = 1;
  CHECK(pthread_join(sender, NULL) == 0);
  CHECK(masks_wrong == 0);
}

// A buffer without a mask: the signal stays blocked, as everywhere, until the thread unblocks it.
static void jump_without_mask(int signal) {
  (void)signal;
  _longjmp(back, 1);
}

static __attribute__((noinline)) void raise_and_come_back(int signal) {
  if (sigsetjmp(back, 0) == 0) {
    CHECK(raise(signal) == 0);
    CHECK(0);
  }
}

static int is_blocked(int signal) {
  const sigset_t mask = own_mask();
  return sigismember(&mask, signal);
}

static void without_mask_by(int signal) {
  install(signal, jump_without_mask, 0);
#pragma omp parallel num_threads(kThreads)
  {
    const sigset_t this_one = only(signal);
    for (int i = 0; i < 10; i++) {
      raise_and_come_back(signal);
      CHECK(is_blocked(signal));
#pragma omp barrier
      CHECK(is_blocked(signal));
      CHECK(pthread_sigmask(SIG_UNBLOCK, &this_one, NULL) == 0);
      CHECK(!is_blocked(signal));
#pragma omp barrier
    }
  }
}

static void without_mask(void) { without_mask_by(SIGUSR1); }
static void without_mask_unrouted(void) { without_mask_by(SIGFPE); }

// A handler that jumps within itself is still active: what it changes in its mask ends with it.
static void jump_within(int signal) {
  sigjmp_buf here;
  volatile int turns = 0;
  if (sigsetjmp(here, 1) < 3) siglongjmp(here, ++turns);
  CHECK(turns == 3);
  const sigset_t other = only(SIGUSR2);
  sigset_t mask = own_mask();
  CHECK(sigismember(&mask, signal));
  CHECK(pthread_sigmask(SIG_BLOCK, &other, NULL) == 0);
  mask = own_mask();
  CHECK(sigismember(&mask, SIGUSR2));
  left_again = 1;
}

static void within(void) {
  install(SIGUSR1, jump_within, 0);
#pragma omp parallel num_threads(kThreads)
  {
    for (int i = 0; i < 10; i++) {
      left_again = 0;
      CHECK(raise(SIGUSR1) == 0 && left_again);
      const sigset_t mask = own_mask();
      CHECK(!sigismember(&mask, SIGUSR1) && !sigismember(&mask, SIGUSR2));
#pragma omp barrier
    }
  }
}

// From an inner handler into an outer one, which goes on.
static void jump_to_outer(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

static void outer(int signal) {
  if (sigsetjmp(back, 1) == 0) {
    CHECK(raise(SIGUSR2) == 0);
    CHECK(0);
  }
  const sigset_t mask = own_mask();
  CHECK(sigismember(&mask, signal) && !sigismember(&mask, SIGUSR2));
  left_again = 1;
}

static void nested(void) {
  install(SIGUSR1, outer, 0);
  install(SIGUSR2, jump_to_outer, 0);
#pragma omp parallel num_threads(kThreads)
  {
    for (int i = 0; i < 10; i++) {
      left_again = 0;
      CHECK(raise(SIGUSR1) == 0 && left_again);
      const sigset_t mask = own_mask();
      CHECK(!sigismember(&mask, SIGUSR1) && !sigismember(&mask, SIGUSR2));
#pragma omp barrier
    }
  }
}

// The mask that a jump restores is the thread's, also where no handler is left.
static __attribute__((noinline)) void block_and_come_back(int signal) {
  if (sigsetjmp(back, 1) == 0) {
    const sigset_t this_one = only(signal);
    CHECK(pthread_sigmask(SIG_BLOCK, &this_one, NULL) == 0);
    siglongjmp(back, 1);
  }
}

static void no_handler(void) {
#pragma omp parallel num_threads(kThreads)
  {
    for (int i = 0; i < 10; i++) {
      block_and_come_back(SIGUSR1);
#pragma omp masked
      CHECK(!is_blocked(SIGUSR1));
#pragma omp barrier
    }
  }
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"outside", outside},
      {"outside-nodefer", outside_nodefer},
      {"outside-onstack", outside_onstack},
      {"inside", inside},
      {"without-mask", without_mask},
      {"without-mask-unrouted", without_mask_unrouted},
      {"within", within},
      {"nested", nested},
      {"no-handler", no_handler},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
