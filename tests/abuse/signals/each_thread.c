// SPDX-License-Identifier: Apache-2.0
// A signal to an OpenMP thread is handled in that thread, whatever it does and whatever its kernel
// thread carries: with its TLS, on its stack, and as its pthread_self().
#include <semaphore.h>

#include "../common/abuse.h"

enum { kThreads = 16, kRounds = 3 };

static pthread_t ids[kThreads];
static _Thread_local int me = -1;
static _Thread_local char *stack_low, *stack_end;
static int handled[kThreads];
static sem_t here, answered, gone_on;
static volatile int stop, go_on;
static int gate[2];
static omp_lock_t lock;

static void note_stack(void) {
  pthread_attr_t attributes;
  void* low;
  size_t size;
  CHECK(pthread_getattr_np(pthread_self(), &attributes) == 0);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  stack_low = low;
  stack_end = stack_low + size;
}

static void check_identity(void) {
  char on_stack;
  CHECK(me >= 0);
  CHECK(pthread_equal(pthread_self(), ids[me]));
  CHECK(&on_stack >= stack_low && &on_stack < stack_end);
  CHECK(omp_get_thread_num() == me);
}

static void on_call(int signal) {
  (void)signal;
  check_identity();
  __atomic_fetch_add(&handled[me], 1, __ATOMIC_SEQ_CST);
  sem_post(&answered);
}

// As when a garbage collector stops the world: all threads are in their handlers at once.
static void on_stop(int signal) {
  (void)signal;
  check_identity();
  sem_post(&answered);
  while (!go_on) poll(NULL, 0, 1);
  sem_post(&gone_on);
}

static void* control(void* unused) {
  (void)unused;
  for (int i = 0; i < kThreads; i++) CHECK(sem_wait(&here) == 0);
  for (int round = 1; round <= kRounds; round++) {
    for (int i = 0; i < kThreads; i++) {
      CHECK(pthread_kill(ids[i], 0) == 0);
      CHECK(pthread_kill(ids[i], SIGUSR1) == 0);
      while (sem_wait(&answered) != 0) CHECK(errno == EINTR);
      CHECK(handled[i] == round);
    }
  }
  for (int i = 0; i < kThreads; i++) CHECK(pthread_kill(ids[i], SIGUSR2) == 0);
  for (int i = 0; i < kThreads; i++) CHECK(sem_wait(&answered) == 0);
  go_on = 1;
  for (int i = 0; i < kThreads; i++) CHECK(sem_wait(&gone_on) == 0);
  stop = 1;
  for (int i = 0; i < kThreads; i++) CHECK(write(gate[1], "x", 1) == 1);
  return NULL;
}

static void compute(void) {
  while (!stop) continue;
}

static void wait_at_barrier(void) {
  if (me == 0) {
    while (!stop) sched_yield();
  }
}

static void wait_in_read(void) {
  char byte;
  while (read(gate[0], &byte, 1) != 1) CHECK(errno == EINTR);
}

static void wait_in_poll(void) {
  struct pollfd file = {gate[0], POLLIN, 0};
  while (poll(&file, 1, -1) != 1) CHECK(errno == EINTR);
}

static void wait_for_lock(void) {
  omp_set_lock(&lock);
  while (!stop) sched_yield();
  omp_unset_lock(&lock);
}

static void sleep_on(void) {
  while (!stop) usleep(1000);
}

static void (*const ways[])(void) = {compute,      wait_at_barrier, wait_in_read,
                                     wait_in_poll, wait_for_lock,   sleep_on};
enum { kWays = sizeof ways / sizeof *ways };

static void run(int way) {
  pthread_t controller;
  CHECK(pipe(gate) == 0);
  omp_init_lock(&lock);
  sem_init(&here, 0, 0);
  sem_init(&answered, 0, 0);
  sem_init(&gone_on, 0, 0);
  struct sigaction action = {0};
  action.sa_flags = SA_RESTART;
  action.sa_handler = on_call;
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
  action.sa_handler = on_stop;
  CHECK(sigaction(SIGUSR2, &action, NULL) == 0);
  struct sigaction seen;
  CHECK(sigaction(SIGUSR2, NULL, &seen) == 0);
  CHECK(seen.sa_handler == on_stop && (seen.sa_flags & SA_SIGINFO) == 0);
  CHECK(pthread_create(&controller, NULL, control, NULL) == 0);
#pragma omp parallel num_threads(kThreads)
  {
    me = omp_get_thread_num();
    ids[me] = pthread_self();
    note_stack();
    sem_post(&here);
    ways[way < kWays ? way : me % kWays]();
  }
  CHECK(pthread_join(controller, NULL) == 0);
  me = -1;
}

int main(int argc, char** argv) {
  static const char* const names[] = {"compute", "barrier", "read", "poll", "lock", "sleep", "all"};
  alarm(kPatience);
  for (int way = 0; way <= kWays; way++) {
    if (argc == 2 && strcmp(argv[1], names[way]) == 0) {
      run(way);
      return 0;
    }
  }
  return 2;
}
