// SPDX-License-Identifier: Apache-2.0
// Signals that arrive all the time while regions run, and signals that the runtime's threads must
// not take from the program.
#include <execinfo.h>
#include <sys/time.h>

#include "../common/abuse.h"

static volatile sig_atomic_t g_ticks;

static void tick(int signal) {
  (void)signal;
  g_ticks++;
  errno = 12345;  // impolite, but it must not affect the runtime's own system calls
}

static void storm(int which, int signal, int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = tick;
  action.sa_flags = flags;
  CHECK(sigaction(signal, &action, NULL) == 0);
  region(4);
  const struct itimerval every = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
  CHECK(setitimer(which, &every, NULL) == 0);
  const double end = now_s() + 0.4;
  int turns = 0;
  omp_set_max_active_levels(3);
  while (now_s() < end || (g_ticks < 20 && now_s() < end + kPatience)) {
    all_regions();
    // A team whose threads must be suspended and parked.
    region(9);
    turns++;
  }
  CHECK(setitimer(which, &never, NULL) == 0);
  CHECK(turns > 0 && g_ticks >= 20);
}

static void alarm_restart(void) { storm(ITIMER_REAL, SIGALRM, SA_RESTART); }
static void alarm_interrupt(void) { storm(ITIMER_REAL, SIGALRM, 0); }
static void alarm_onstack(void) { storm(ITIMER_REAL, SIGALRM, SA_ONSTACK | SA_RESTART); }
static void prof(void) { storm(ITIMER_PROF, SIGPROF, SA_RESTART); }
static void prof_interrupt(void) { storm(ITIMER_PROF, SIGPROF, 0); }

// Signals that are blocked from the start stay blocked everywhere: a signal sent during a region
// stays pending until the program asks for it.
static void blocked(void) {
  sigset_t all, some, now;
  sigfillset(&all);
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  CHECK(pthread_sigmask(SIG_SETMASK, &all, NULL) == 0);
  int wrong = 0;
  for (int turn = 0; turn < 20; turn++) {
#pragma omp parallel num_threads(4) reduction(+ : wrong)
    {
      sigset_t here;
      wrong += pthread_sigmask(SIG_SETMASK, NULL, &here) != 0 || !sigismember(&here, SIGUSR1);
#pragma omp barrier
#pragma omp single
      wrong += kill(getpid(), SIGUSR1) != 0;
    }
    const struct timespec limit = {kPatience, 0};
    CHECK(sigtimedwait(&some, NULL, &limit) == SIGUSR1);
  }
  CHECK(wrong == 0);
  CHECK(pthread_sigmask(SIG_SETMASK, NULL, &now) == 0 && sigismember(&now, SIGUSR1));
}

// Blocked after the first call of the library and before the first region, as for a signalfd.
static void blocked_later(void) {
  CHECK(omp_get_max_threads() >= 1);
  blocked();
}

static pthread_t g_main;
static volatile sig_atomic_t g_handled;

static void where(int signal) {
  (void)signal;
  g_handled++;
}

// A thread gets the signals that are directed at it, also inside a region:
// pthread_kill(pthread_self()).
static void directed(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = where;
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
  g_main = pthread_self();
  for (int turn = 0; turn < 50; turn++) {
    g_handled = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp masked
      CHECK(pthread_kill(g_main, SIGUSR1) == 0);
    }
    CHECK(g_handled == 1);
  }
}

// Each thread except the initial one blocks signals. The initial one still takes them, with its own
// mask.
static void blocked_by_others(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = where;
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
  for (int turn = 0; turn < 50; turn++) {
    sigset_t now;
#pragma omp parallel num_threads(6)
    {
      const int me = omp_get_thread_num();
      sigset_t mine;
      if (me != 0) {
        sigfillset(&mine);
        CHECK((turn % 2 ? pthread_sigmask : sigprocmask)(SIG_BLOCK, &mine, NULL) == 0);
      } else if (turn == 40) {
        sigemptyset(&mine);
        sigaddset(&mine, SIGUSR2);
        CHECK(pthread_sigmask(SIG_BLOCK, &mine, NULL) == 0);
      }
    }
    g_handled = 0;
    CHECK(raise(SIGUSR1) == 0 && g_handled == 1);
    CHECK(sigprocmask(SIG_BLOCK, NULL, &now) == 0 && !sigismember(&now, SIGTERM));
    CHECK(sigismember(&now, SIGUSR2) == (turn >= 40));
  }
}

// The program sets the initial thread's mask, and the mask survives regions.
static void mask_kept(void) {
  sigset_t usr, now;
  sigemptyset(&usr);
  sigaddset(&usr, SIGUSR2);
  for (int turn = 0; turn < 10; turn++) {
    CHECK(pthread_sigmask(turn % 2 ? SIG_UNBLOCK : SIG_BLOCK, &usr, NULL) == 0);
    region(5);
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &now) == 0);
    CHECK(sigismember(&now, SIGUSR2) == !(turn % 2) && !sigismember(&now, SIGINT));
  }
}

// Threads that are suspended all the time, with a handler called every `us` microseconds wherever
// they are.
static void interrupted_by(void (*handler)(int), int us, sig_atomic_t times) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  const struct itimerval every = {{0, us}, {0, us}}, never = {{0, 0}, {0, 0}};
  g_ticks = 0;
  CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
  while (g_ticks < times) {
    for (int i = 0; i < 10; i++) {
      region(2);
      region(8);
    }
    task_region(3);
  }
  CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
}

// A profiler's handler: unwinds from any place, also from a switch of fibers.
static void take_sample(int signal) {
  (void)signal;
  void* frames[64];
  CHECK(backtrace(frames, 64) > 0);
  g_ticks++;
}

static void profiler(void) {
  void* frames[8];
  CHECK(backtrace(frames, 8) > 0);  // the first call loads what backtrace() needs
  interrupted_by(take_sample, 100, 4000);
}

// Functions that sleep or yield otherwise let other threads run meanwhile. POSIX allows handlers to
// call these functions.
static void sleep_and_yield(int signal) {
  (void)signal;
  const int error = errno;
  const struct timespec brief = {0, 1000};
  CHECK(sched_yield() == 0);
  CHECK(sleep(0) == 0);
  nanosleep(&brief, NULL);
  errno = error;
  g_ticks++;
}

static void handler_sleeps(void) { interrupted_by(sleep_and_yield, 2000, 200); }

static __thread volatile sig_atomic_t t_handled;

static void count_own(int signal) {
  (void)signal;
  t_handled++;
}

// raise() reaches its own thread at once, on every kernel thread that carries one. No kernel thread
// may run program code with signals blocked that the program has not blocked.
static void every_kernel_thread(void) {
  enum { kTeam = 12 };
  static pthread_barrier_t all_here;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = count_own;
  omp_set_dynamic(0);
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
  CHECK(pthread_barrier_init(&all_here, NULL, kTeam) == 0);
  int team = 0, good = 0;
#pragma omp parallel num_threads(kTeam) reduction(+ : good)
  {
#pragma omp single
    team = omp_get_num_threads();
    CHECK(team == kTeam);
    t_handled = 0;
    pthread_barrier_wait(&all_here);
    CHECK(raise(SIGUSR1) == 0);
    good += t_handled == 1;
    pthread_barrier_wait(&all_here);
  }
  CHECK(good == kTeam);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"alarm-restart", alarm_restart},
      {"alarm-interrupt", alarm_interrupt},
      {"alarm-onstack", alarm_onstack},
      {"prof", prof},
      {"prof-interrupt", prof_interrupt},
      {"blocked", blocked},
      {"blocked-later", blocked_later},
      {"blocked-by-others", blocked_by_others},
      {"directed", directed},
      {"profiler", profiler},
      {"handler-sleeps", handler_sleeps},
      {"mask-kept", mask_kept},
      {"every-kernel-thread", every_kernel_thread},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
