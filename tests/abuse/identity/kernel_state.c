// SPDX-License-Identifier: Apache-2.0
// What the kernel keeps for a kernel thread belongs to the thread of the program that has set it,
// and to no other one, through barriers, tasks, nested regions and further regions.
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "../common/abuse.h"

enum { kMost = 8, kRounds = 20 };

static void compute(int units) {
  volatile double x = 0;
  for (int i = 0; i < 20000 * units; i++) x += i;
}

// ---- alternate stacks ----

static volatile sig_atomic_t rang;
static void ring(int signal) { rang = rang + (signal == SIGALRM); }

static void ring_often(void) {
  struct sigaction action = {0};
  action.sa_handler = ring;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  struct itimerval often = {{0, 2000}, {0, 2000}};
  CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
}

enum { kAltStack = 65536 };

static char* take_stack(stack_t* before) {
  char* memory = mmap(NULL, kAltStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  stack_t mine = {.ss_sp = memory, .ss_size = kAltStack};
  CHECK(sigaltstack(&mine, before) == 0);
  return memory;
}

// It is the caller's own, which is unmapped.
static void give_stack(char* memory, stack_t before) {
  stack_t now;
  if ((before.ss_flags & SS_DISABLE) != 0) before.ss_size = kAltStack;
  CHECK(sigaltstack(&before, &now) == 0 && now.ss_sp == memory);
  CHECK(munmap(memory, kAltStack) == 0);
}

static void alternate_stacks_of(int threads) {
#pragma omp parallel num_threads(threads)
  {
    stack_t before;
    char* memory = take_stack(&before);
    for (int i = 0; i < 3; i++) {
      compute(1);
#pragma omp barrier
    }
    give_stack(memory, before);
  }
}

static void altstack(void) {
  ring_often();
  for (int i = 0; i < kRounds; i++) {
    for (int threads = 2; threads <= kMost; threads *= 2) alternate_stacks_of(threads);
  }
}

// As language runtimes do: a thread's stack is freed by a destructor when the thread ends. No other
// thread loses its own by that.
static pthread_key_t stack_of_thread;
static void free_stack(void* memory) {
  stack_t none = {.ss_flags = SS_DISABLE, .ss_size = kAltStack};
  stack_t now;
  CHECK(sigaltstack(&none, &now) == 0 && now.ss_sp == memory);
  CHECK(munmap(memory, kAltStack) == 0);
}

static void* has_a_team(void* unused) {
  stack_t before, now;
  char* mine = take_stack(&before);
#pragma omp parallel num_threads(4)
  {
    stack_t own;
    if (omp_get_thread_num() != 0)
      CHECK(pthread_setspecific(stack_of_thread, take_stack(&own)) == 0);
#pragma omp barrier
  }
  region(6);
  CHECK(sigaltstack(NULL, &now) == 0 && now.ss_sp == mine);
  CHECK(pthread_setspecific(stack_of_thread, mine) == 0);
  return unused;
}

static void altstack_of_ending_threads(void) {
  CHECK(pthread_key_create(&stack_of_thread, free_stack) == 0);
  for (int i = 0; i < kRounds; i++) {
    pthread_t roots[2];
    for (int k = 0; k < 2; k++) CHECK(pthread_create(&roots[k], NULL, has_a_team, NULL) == 0);
    for (int k = 0; k < 2; k++) CHECK(pthread_join(roots[k], NULL) == 0);
  }
}

// ---- identity: one setting for each kind, of one thread or of all ----

static void set_fsuid(int id) { setfsuid((uid_t)id); }
static int get_fsuid(void) { return setfsuid((uid_t)-1); }
static void set_euid(int id) { CHECK(syscall(SYS_setresuid, -1, id, -1) == 0); }
static int get_euid(void) { return (int)syscall(SYS_geteuid); }
static void set_umask(int mask) { umask((mode_t)mask); }
static int get_umask(void) {
  const mode_t mask = umask(0);
  umask(mask);
  return (int)mask;
}

static void settings(int threads, void (*set)(int), int (*get)(void), int base) {
  int done = 0;
#pragma omp parallel num_threads(threads) reduction(+ : done)
  {
    const int me = omp_get_thread_num();
    if (set == set_umask) CHECK(unshare(CLONE_FS) == 0);
    for (int i = 0; i < kRounds; i++) {
      const int mine = base + me;
      set(mine);
      compute(1 + (me + i) % 3);
#pragma omp barrier
      CHECK(get() == mine);
#pragma omp for schedule(dynamic)
      for (int k = 0; k < 4 * threads; k++) {
#pragma omp task
        compute(1);
      }
      CHECK(get() == mine);
#pragma omp parallel num_threads(2) reduction(+ : done)
      done++;
      CHECK(get() == mine);
      set(0);
#pragma omp barrier
    }
  }
  CHECK(done >= threads * kRounds);
}

static void as_root(void (*set)(int), int (*get)(void)) {
  if (geteuid() != 0) exit(kSkip);
  omp_set_max_active_levels(2);
  for (int threads = 2; threads <= kMost; threads *= 2)
    settings(threads, set, get, set == set_umask ? 8 : 1000);
}

static void fsuid(void) { as_root(set_fsuid, get_fsuid); }
static void euid(void) { as_root(set_euid, get_euid); }
static void mask(void) { as_root(set_umask, get_umask); }

static int no_new_privs(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); }

// Only one thread has it, and the threads that it makes.
static void no_new_privs_of_one(int owner) {
#pragma omp parallel num_threads(4)
  {
    const int me = omp_get_thread_num();
    for (int i = 0; i < kRounds; i++) {
      if (me == owner) CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
      compute(1 + (me + i) % 3);
#pragma omp barrier
      CHECK(no_new_privs() == (me == owner));
      int nested = 0;
#pragma omp parallel num_threads(3) reduction(+ : nested)
      nested += no_new_privs();
      CHECK(nested == (me == owner ? 3 : 0));
#pragma omp barrier
    }
  }
#pragma omp parallel num_threads(kMost)
  {
    const int me = omp_get_thread_num();
    const int has = me == owner || (me >= 4 && owner == 0);
    CHECK(no_new_privs() == has);
#pragma omp barrier
    CHECK(no_new_privs() == has);
  }
}

static void in_child(void (*function)(int), int argument) {
  int status;
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    function(argument);
    exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void privileges(void) {
  omp_set_max_active_levels(2);
  for (int owner = 0; owner < 4; owner++) in_child(no_new_privs_of_one, owner);
}

// ---- clocks and timers ----

static long long nanoseconds(clockid_t clock) {
  struct timespec time;
  CHECK(clock_gettime(clock, &time) == 0);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// A thread's clock never goes back, and another thread may read it.
static void clocks(void) {
  static clockid_t published[kMost];
  static long long read_last[kMost];
  for (int threads = 2; threads <= kMost; threads *= 2) {
#pragma omp parallel num_threads(threads)
    {
      const int me = omp_get_thread_num(), other = (me + 1) % threads;
      long long last = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
      CHECK(pthread_getcpuclockid(pthread_self(), &published[me]) == 0);
      for (int i = 0; i < kRounds; i++) {
        compute(1 + (me + i) % 3);
        read_last[me] = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        CHECK(read_last[me] > last);
        last = read_last[me];
#pragma omp barrier
        CHECK(nanoseconds(published[other]) >= read_last[other]);
#pragma omp barrier
      }
      struct rusage usage;
      CHECK(getrusage(RUSAGE_THREAD, &usage) == 0);
    }
  }
}

static _Thread_local volatile sig_atomic_t ticked;
static void tick(int signal) { ticked = ticked + (signal != 0); }

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static void timers(void) {
  struct sigaction action = {0};
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART;
  CHECK(sigaction(SIGRTMIN + 1, &action, NULL) == 0);
  for (int threads = 2; threads <= kMost; threads *= 2) {
#pragma omp parallel num_threads(threads)
    {
      struct sigevent event = {0};
      event.sigev_notify = SIGEV_THREAD_ID;
      event.sigev_signo = SIGRTMIN + 1;
      event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
      timer_t timer;
      CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
      struct itimerspec often = {{0, 1000000}, {0, 1000000}};
      CHECK(timer_settime(timer, 0, &often, NULL) == 0);
      for (int i = 0; i < 3; i++) {
        const int before = ticked;
        while (ticked < before + 3) compute(1);
#pragma omp barrier
      }
      CHECK(timer_delete(timer) == 0);
    }
  }
}

// ---- what else threads do ----

// Kept threads make all kinds of regions, and children that go on with OpenMP.
static void others_of_all_kinds(int unused) {
  all_regions();
  CHECK(unused == 0);
}

static void regions(void) {
  for (int i = 0; i < kRounds; i++) {
#pragma omp parallel num_threads(4)
    {
      stack_t now;
      if (omp_get_thread_num() % 2 == 1) CHECK(sigaltstack(NULL, &now) == 0);
      if (i % 4 == 0) nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    }
    all_regions();
    in_child(others_of_all_kinds, 0);
#pragma omp parallel num_threads(3)
#pragma omp critical
    in_child(others_of_all_kinds, 0);
  }
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"altstack", altstack}, {"altstack-of-ending-threads", altstack_of_ending_threads},
      {"fsuid", fsuid},       {"euid", euid},
      {"umask", mask},        {"no-new-privs", privileges},
      {"clocks", clocks},     {"timers", timers},
      {"regions", regions},   {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
