// SPDX-License-Identifier: Apache-2.0
// Threads that sleep for a while: meanwhile others run, and the sleep takes its full time.
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <threads.h>

#include "../common/abuse.h"

static atomic_int flag;

// Each thread except the first polls for the next step of the first thread. With fewer processors
// than threads the first thread may be waiting for the very worker that the sleeper occupies. No
// thread may have to wait until the monitor has noticed this, which takes milliseconds or a hundred
// looks.
static void polling(void) {
  enum { kThreads = 4, kRounds = 400 };
  static atomic_long looks;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(kThreads)
  for (int round = 1; round <= kRounds; round++) {
    if (omp_get_thread_num() == 0) {
      flag = round;
    } else {
      while (flag < round) {
        const struct timespec time = {0, 10000};
        looks++;
        if (round % 2 != 0) {
          usleep(10);
        } else {
          thrd_sleep(&time, NULL);
        }
      }
    }
#pragma omp barrier
  }
  CHECK(looks < 5L * kThreads * kRounds);
}

static double slept_ms(int way) {
  const double begin = now_s();
  struct timespec time = {0, 3000000};
  switch (way) {
    case 0:
      CHECK(nanosleep(&time, NULL) == 0);
      break;
    case 1:
      CHECK(usleep(3000) == 0);
      break;
    case 2:
      CHECK(clock_nanosleep(CLOCK_REALTIME, 0, &time, NULL) == 0);
      break;
    default:
      clock_gettime(CLOCK_MONOTONIC, &time);
      time.tv_nsec += 3000000;
      if (time.tv_nsec >= 1000000000) time.tv_sec++, time.tv_nsec -= 1000000000;
      CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == 0);
      break;
  }
  return 1e3 * (now_s() - begin);
}

// More threads than processors, so that there are others to run.
static void never_too_short(void) {
  omp_set_dynamic(0);
#pragma omp parallel num_threads(12)
  for (int round = 0; round < 8; round++) {
    CHECK(slept_ms(round % 4) >= 2.99);
#pragma omp barrier
  }
  CHECK(sleep(0) == 0);
}

// The monitor looks less and less often while nothing happens.
static void long_sleep(void) {
  struct rusage before, after;
  CHECK(getrusage(RUSAGE_SELF, &before) == 0);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) sleep(2);
  CHECK(getrusage(RUSAGE_SELF, &after) == 0);
  CHECK(after.ru_nvcsw - before.ru_nvcsw < 150);
}

static void refused(void) {
#pragma omp parallel num_threads(4)
  for (int round = 0; round < 20; round++) {
    struct timespec time = {0, 1000000000};
    errno = 0;
    CHECK(nanosleep(&time, NULL) == -1 && errno == EINVAL);
    time.tv_nsec = -1;
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL) == EINVAL);
    time = (struct timespec){-1, 0};
    CHECK(nanosleep(&time, NULL) == -1 && errno == EINVAL);
    time.tv_sec = 0;
    CHECK(clock_nanosleep(12345, 0, &time, NULL) != 0);
    time.tv_nsec = -1;
    CHECK(thrd_sleep(&time, NULL) < -1);
#pragma omp barrier
  }
}

static void on_alarm(int signal) { (void)signal; }

// A signal handler ends the sleep, and the remaining time is returned. This is for the initial
// thread, which gets the alarms.
static void interrupted(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  sigaction(SIGALRM, &action, NULL);
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarms, NULL);
  region(4);  // the region's kernel threads have the signal blocked
  pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
  struct itimerval soon = {{0, 0}, {0, 20000}};
  struct timespec left = {0, 0}, minute = {60, 0};
  setitimer(ITIMER_REAL, &soon, NULL);
  errno = 0;
  CHECK(nanosleep(&minute, &left) == -1 && errno == EINTR);
  CHECK(left.tv_sec == 59 && left.tv_nsec > 0);
  setitimer(ITIMER_REAL, &soon, NULL);
  CHECK(sleep(60) >= 58);
  setitimer(ITIMER_REAL, &soon, NULL);
  CHECK(thrd_sleep(&minute, &left) == -1 && left.tv_sec == 59 && left.tv_nsec > 0);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"polling", polling}, {"never-too-short", never_too_short}, {"long-sleep", long_sleep},
      {"refused", refused}, {"interrupted", interrupted},         {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
