// SPDX-License-Identifier: Apache-2.0
// Real-time signals queue up: a thread handles all that were sent to it, in their order, however
// many come before it handles the first.
#include "../common/abuse.h"

enum { kThreads = 4, kSignals = 200 };

static pthread_t ids[kThreads];
static int received[kThreads];
static int wrong, together;
static volatile int stop;
static int number;

static void note(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)context;
  const int me = omp_get_thread_num();
  wrong += !pthread_equal(pthread_self(), ids[me]);
  wrong += info->si_value.sival_int != received[me];
  received[me]++;
}

static void note_any(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)info;
  (void)context;
  __atomic_fetch_add(&together, 1, __ATOMIC_RELAXED);
}

static void begin(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {0};
  number = SIGRTMIN + 1;
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  CHECK(sigaction(number, &action, NULL) == 0);
}

static void send(int thread, int value) {
  const union sigval payload = {.sival_int = value};
  CHECK(pthread_sigqueue(ids[thread], number, payload) == 0);
}

static void send_by_system_call(int value) {
  siginfo_t info = {0};
  info.si_signo = number;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_value.sival_int = value;
  CHECK(syscall(SYS_rt_tgsigqueueinfo, getpid(), getpid(), number, &info) == 0);
}

static void wait_for(const int* count, int wanted) {
  while (__atomic_load_n(count, __ATOMIC_RELAXED) < wanted) usleep(1000);
  stop = 1;
}

static void* to_root_sender(void* raw) {
  for (int i = 0; i < kSignals; i++) raw ? send_by_system_call(i) : send(0, i);
  wait_for(&received[0], kSignals);
  return NULL;
}

static void* to_each_sender(void* unused) {
  (void)unused;
  for (int i = 0; i < kSignals; i++) {
    for (int thread = 0; thread < kThreads; thread++) send(thread, i);
  }
  for (int thread = 0; thread < kThreads; thread++) wait_for(&received[thread], kSignals);
  return NULL;
}

static void* to_process_sender(void* unused) {
  (void)unused;
  for (int i = 0; i < kSignals; i++) {
    const union sigval payload = {.sival_int = i};
    CHECK(sigqueue(getpid(), number, payload) == 0);
  }
  wait_for(&together, kSignals);
  return NULL;
}

// The threads take turns at short regions and computation, so the signals find them everywhere.
static void compute_while(void* (*sender)(void*), void* argument) {
  pthread_t controller;
  sigset_t all, before;
  ids[0] = pthread_self();
#pragma omp parallel num_threads(kThreads)
  ids[omp_get_thread_num()] = pthread_self();
  sigfillset(&all);
  CHECK(pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
  CHECK(pthread_create(&controller, NULL, sender, argument) == 0);
  CHECK(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
  int done = 0;
  while (!done) {
#pragma omp parallel num_threads(kThreads)
    {
      volatile double x = 0;
      for (int i = 0; i < 100000 * (omp_get_thread_num() % 3); i++) x += i;
#pragma omp barrier
#pragma omp masked
      done = stop;
    }
  }
  CHECK(pthread_join(controller, NULL) == 0);
  CHECK(wrong == 0);
}

static void to_root(void) {
  begin(note);
  compute_while(to_root_sender, NULL);
}

static void to_root_raw(void) {
  static int raw = 1;
  begin(note);
  compute_while(to_root_sender, &raw);
}

static void to_each(void) {
  begin(note);
  compute_while(to_each_sender, NULL);
  for (int thread = 0; thread < kThreads; thread++) CHECK(received[thread] == kSignals);
}

static void to_process(void) {
  begin(note_any);
  compute_while(to_process_sender, NULL);
  CHECK(together == kSignals);
}

// Blocked, and taken by sigtimedwait(); the lower number comes first.
static void taken(void) {
  begin(note);
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    const int next = (me + 1) % kThreads;
    const struct timespec limit = {kPatience, 0};
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, number);
    sigaddset(&both, number + 1);
    CHECK(pthread_sigmask(SIG_BLOCK, &both, NULL) == 0);
    ids[me] = pthread_self();
#pragma omp barrier
    for (int i = 0; i < kSignals; i++) send(next, i);
#pragma omp barrier
    for (int i = 0; i < kSignals; i++) {
      siginfo_t info;
      CHECK(sigtimedwait(&both, &info, &limit) == number && info.si_value.sival_int == i);
    }
    CHECK(received[me] == 0);
  }
}

// Sent to itself by each handler, again and again.
static void send_next(int signal, siginfo_t* info, void* context) {
  note(signal, info, context);
  if (info->si_value.sival_int + 1 < kSignals) {
    send(omp_get_thread_num(), info->si_value.sival_int + 1);
  }
}

static void in_handler(void) {
  begin(send_next);
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    ids[me] = pthread_self();
    send(me, 0);
    while (__atomic_load_n(&received[me], __ATOMIC_RELAXED) < kSignals) sched_yield();
  }
  CHECK(wrong == 0);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"to-root", to_root}, {"to-root-raw", to_root_raw},
      {"to-each", to_each}, {"to-process", to_process},
      {"taken", taken},     {"in-handler", in_handler},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
