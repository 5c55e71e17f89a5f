// SPDX-License-Identifier: Apache-2.0
// The kernel never restarts some system calls after a signal handler. A program that has no signals
// must not see that the runtime's own signals interrupt them. Thread 0 waits at barriers and for a
// lock while its kernel thread carries others, so it comes back to that kernel thread again and
// again while the others are in such a call.
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>

#include "../common/abuse.h"

enum { kThreads = 4, kRounds = 12, kMs = 1000000 };

static const struct timespec limit = {0, 20 * kMs};
static int semaphores, epoll, gate[2], receiver[2], sender[2], listener;
static volatile double sink;

static int in_semtimedop(void) {
  struct sembuf down = {0, -1, 0};
  return semtimedop(semaphores, &down, 1, &limit);
}
static int in_recv(void) {
  char byte;
  return (int)recv(receiver[0], &byte, 1, 0);
}
static int in_send(void) { return (int)send(sender[0], "x", 1, 0); }
static int in_accept(void) { return accept(listener, NULL, NULL); }
static int in_poll(void) {
  struct pollfd file = {gate[0], POLLIN, 0};
  return poll(&file, 1, 20);
}
static int in_select(void) {
  fd_set files;
  FD_ZERO(&files);
  FD_SET(gate[0], &files);
  struct timeval time = {0, 20000};
  return select(gate[0] + 1, &files, NULL, NULL, &time);
}
static int in_epoll_wait(void) {
  struct epoll_event event;
  return epoll_wait(epoll, &event, 1, 20);
}
static int in_nanosleep(void) { return nanosleep(&limit, NULL); }

static void open_all(void) {
  const struct timeval time = {0, 20000};
  semaphores = semget(IPC_PRIVATE, 1, 0600);
  epoll = epoll_create1(0);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(semaphores >= 0 && epoll >= 0 && listener >= 0 && pipe(gate) == 0);
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, receiver) == 0);
  CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, sender) == 0 && listen(listener, 1) == 0);
  CHECK(setsockopt(receiver[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
  CHECK(setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
  CHECK(setsockopt(sender[0], SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time) == 0);
  while (send(sender[0], "x", 1, MSG_DONTWAIT) == 1) continue;
}

static void check(int (*call)(void)) {
  errno = 0;
  const double begin = now_s();
  const int result = call();
  CHECK(result <= 0 && errno != EINTR);
  CHECK(now_s() - begin > 0.01);
}

static void compute(void) {
  for (int i = 0; i < 1000000; i++) sink = i;
}

static void run(int (*call)(void)) {
  open_all();
  omp_set_dynamic(0);
  for (int round = 0; round < kRounds; round++) {
#pragma omp parallel num_threads(kThreads)
    {
      const int me = omp_get_thread_num();
      if (me != 0) check(call);
#pragma omp barrier
      if (me == 1) compute();
      if (me != 1) {
#pragma omp critical
        usleep(100);
      }
      if (me > 1) check(call);
    }
  }
  CHECK(semctl(semaphores, 0, IPC_RMID) == 0);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int (*call)(void);
  } cases[] = {{"semtimedop", in_semtimedop}, {"recv", in_recv},          {"send", in_send},
               {"accept", in_accept},         {"poll", in_poll},          {"select", in_select},
               {"epoll_wait", in_epoll_wait}, {"nanosleep", in_nanosleep}};
  alarm(kPatience);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) {
      run(cases[i].call);
      return 0;
    }
  }
  return 2;
}
