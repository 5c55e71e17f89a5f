// SPDX-License-Identifier: Apache-2.0
// A thread of the program stays on its own kernel thread in its regions. Signals that interrupt its
// blocking calls outside of regions also interrupt them inside, while other threads compute.
#include <semaphore.h>
#include <sys/time.h>

#include "../common/abuse.h"

enum { kThreads = 4 };

static volatile sig_atomic_t rang;
static volatile int stop;
static sem_t nothing;
static int gate[2];

static void ring(int signal) { rang = signal; }

static int blocked_in_read(void) {
  char byte;
  return (int)read(gate[0], &byte, 1);
}
static int blocked_in_poll(void) {
  struct pollfd file = {gate[0], POLLIN, 0};
  return poll(&file, 1, -1);
}
static int blocked_in_sem_wait(void) { return sem_wait(&nothing); }
static int blocked_in_pause(void) { return pause(); }
static int blocked_in_sigsuspend(void) {
  sigset_t none;
  sigemptyset(&none);
  return sigsuspend(&none);
}
static int blocked_in_nanosleep(void) {
  struct timespec time = {kPatience, 0};
  return nanosleep(&time, NULL);
}

// The root has given way before, so its kernel thread carries another thread.
static void interrupt(int (*block)(void)) {
  const long kernel_thread = syscall(SYS_gettid);
  struct sigaction action = {0};
  action.sa_handler = ring;
  CHECK(sigaction(SIGALRM, &action, NULL) == 0);
  CHECK(pipe(gate) == 0);
  sem_init(&nothing, 0, 0);
#pragma omp parallel num_threads(kThreads)
  {
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < 20; i++) {
        usleep(1000);
        CHECK(syscall(SYS_gettid) == kernel_thread);
      }
      // Repeatedly, because the first signal may come before the call has begun.
      struct itimerval often = {{0, 50000}, {0, 50000}};
      CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
      CHECK(block() == -1 && errno == EINTR && rang == SIGALRM);
      struct itimerval never = {{0, 0}, {0, 0}};
      setitimer(ITIMER_REAL, &never, NULL);
      CHECK(syscall(SYS_gettid) == kernel_thread);
      stop = 1;
    } else {
      while (!stop) continue;
    }
  }
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int (*block)(void);
  } cases[] = {{"read", blocked_in_read},
               {"poll", blocked_in_poll},
               {"sem_wait", blocked_in_sem_wait},
               {"pause", blocked_in_pause},
               {"sigsuspend", blocked_in_sigsuspend},
               {"nanosleep", blocked_in_nanosleep}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) {
      interrupt(cases[i].block);
      return 0;
    }
  }
  return 2;
}
