// SPDX-License-Identifier: Apache-2.0
// Threads of a team wait for each other in the kernel, by means that the runtime does not know.
// With one kernel thread for each of them they make progress, so they must do so here.
#include <linux/futex.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "../common/abuse.h"

// If a thread is missing, such a program cannot work on any runtime.
static void need_full_team(int threads) {
  int team = 0;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(threads)
#pragma omp single
  team = omp_get_num_threads();
  CHECK(team == threads);
}

// A token is passed around through pipes. All threads sleep in read().
static void pipe_ring(int threads, int laps) {
  int(*pipes)[2] = (int(*)[2])calloc((size_t)threads, sizeof *pipes);
  need_full_team(threads);
  for (int i = 0; i < threads; i++) CHECK(pipe(pipes[i]) == 0);
  int hops = 0;
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num(), next = (me + 1) % threads;
    char token = 'x';
    for (int lap = 0; lap < laps; lap++) {
      if (me == 0) CHECK(write(pipes[next][1], &token, 1) == 1);
      CHECK(read(pipes[me][0], &token, 1) == 1);
      hops++;
      if (me != 0) CHECK(write(pipes[next][1], &token, 1) == 1);
    }
  }
  CHECK(hops == threads * laps);
  for (int i = 0; i < threads; i++) close(pipes[i][0]), close(pipes[i][1]);
  free(pipes);
}

static void pipes_4(void) { pipe_ring(4, 200); }
static void pipes_33(void) { pipe_ring(33, 20); }

static void pthread_barriers(void) {
  enum { kThreads = 33 };
  pthread_barrier_t barrier;
  int count = 0;
  need_full_team(kThreads);
  CHECK(pthread_barrier_init(&barrier, NULL, kThreads) == 0);
#pragma omp parallel num_threads(kThreads)
  for (int turn = 1; turn <= 10; turn++) {
#pragma omp atomic
    count++;
    pthread_barrier_wait(&barrier);
    int seen;
#pragma omp atomic read
    seen = count;
    CHECK(seen == turn * kThreads);
    pthread_barrier_wait(&barrier);
  }
}

static void condition_ring(void) {
  enum { kThreads = 12, kLaps = 50 };
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  int turn = 0;
  need_full_team(kThreads);
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    for (int lap = 0; lap < kLaps; lap++) {
      pthread_mutex_lock(&mutex);
      while (turn % kThreads != me) pthread_cond_wait(&changed, &mutex);
      turn++;
      pthread_cond_broadcast(&changed);
      pthread_mutex_unlock(&mutex);
    }
  }
  CHECK(turn == kThreads * kLaps);
}

// Producer threads and consumer threads share a bounded queue made of semaphores.
static void semaphores(void) {
  enum { kThreads = 8, kItems = 300 };
  sem_t empty, full;
  int produced = 0, consumed = 0;
  need_full_team(kThreads);
  sem_init(&empty, 0, 2);
  sem_init(&full, 0, 0);
#pragma omp parallel num_threads(kThreads)
  {
    if (omp_get_thread_num() < kThreads / 2) {
      for (int i = 0; i < kItems; i++) {
        sem_wait(&empty);
#pragma omp atomic
        produced++;
        sem_post(&full);
      }
    } else {
      for (int i = 0; i < kItems; i++) {
        sem_wait(&full);
#pragma omp atomic
        consumed++;
        sem_post(&empty);
      }
    }
  }
  CHECK(produced == kItems * kThreads / 2 && consumed == produced);
}

// The last thread frees all the others, which sleep in a plain futex.
static void futex_gate(void) {
  enum { kThreads = 9 };
  static atomic_int gate, asleep;
  need_full_team(kThreads);
  for (int turn = 0; turn < 5; turn++) {
    gate = asleep = 0;
#pragma omp parallel num_threads(kThreads)
    {
      if (omp_get_thread_num() == kThreads - 1) {
        while (asleep < kThreads - 1) sched_yield();
        gate = 1;
        syscall(SYS_futex, &gate, FUTEX_WAKE_PRIVATE, 1000, NULL, NULL, 0);
      } else {
        asleep++;
        while (gate == 0) syscall(SYS_futex, &gate, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
      }
    }
  }
}

// One thread is a server and the others are its clients, over socket pairs with poll().
static void poll_server(void) {
  enum { kThreads = 6, kCalls = 100 };
  int fds[kThreads][2];
  need_full_team(kThreads);
  for (int i = 0; i < kThreads; i++) CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds[i]) == 0);
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    if (me == 0) {
      for (int served = 0; served < kCalls * (kThreads - 1);) {
        struct pollfd p[kThreads];
        for (int i = 1; i < kThreads; i++) p[i] = (struct pollfd){fds[i][0], POLLIN, 0};
        CHECK(poll(p + 1, kThreads - 1, -1) > 0);
        for (int i = 1; i < kThreads; i++) {
          int x;
          if (!(p[i].revents & POLLIN)) continue;
          CHECK(read(fds[i][0], &x, sizeof x) == sizeof x);
          x *= 2;
          CHECK(write(fds[i][0], &x, sizeof x) == sizeof x);
          served++;
        }
      }
    } else {
      for (int i = 0; i < kCalls; i++) {
        int x = i * me;
        CHECK(write(fds[me][1], &x, sizeof x) == sizeof x);
        CHECK(read(fds[me][1], &x, sizeof x) == sizeof x && x == 2 * i * me);
      }
    }
  }
  for (int i = 0; i < kThreads; i++) close(fds[i][0]), close(fds[i][1]);
}

// Blocking inside nested regions and tasks.
static void nested_pipes(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
  pipe_ring(4, 20);
}

static void tasks_block(void) {
  int fds[2], sum = 0;
  CHECK(pipe(fds) == 0);
  need_full_team(4);
#pragma omp parallel num_threads(4)
  {
    // Two threads sleep in their tasks until the third one has written.
    const int me = omp_get_thread_num();
    if (me == 1 || me == 2) {
      char c = 0;
      CHECK(read(fds[0], &c, 1) == 1);
#pragma omp atomic
      sum += c;
    } else if (me == 3) {
      CHECK(write(fds[1], "\1\2", 2) == 2);
    }
#pragma omp barrier
#pragma omp task shared(sum)
#pragma omp atomic
    sum += 10;
#pragma omp taskwait
  }
  CHECK(sum == 43);
  close(fds[0]);
  close(fds[1]);
}

static void* helper(void* arg) {
  sem_t* sems = (sem_t*)arg;
  for (int i = 0; i < 50; i++) {
    sem_wait(&sems[0]);
    region(3);
    sem_post(&sems[1]);
  }
  return NULL;
}

// A thread of a region sleeps until a pthread answers, which opens its own regions.
static void waits_for_pthread(void) {
  sem_t sems[2];
  pthread_t thread;
  sem_init(&sems[0], 0, 0);
  sem_init(&sems[1], 0, 0);
  CHECK(pthread_create(&thread, NULL, helper, sems) == 0);
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 50; i++) {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
      sem_post(&sems[0]);
      sem_wait(&sems[1]);
    }
#pragma omp barrier
  }
  pthread_join(thread, NULL);
}

// After the region, kernel threads that stood in for sleepers must not use processor time.
static void quiet_afterwards(void) {
  pipe_ring(16, 20);
  region(4);
  struct rusage before, after;
  usleep(200000);  // spare workers end
  getrusage(RUSAGE_SELF, &before);
  usleep(300000);
  getrusage(RUSAGE_SELF, &after);
  const long us = (after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000000L +
                  after.ru_utime.tv_usec - before.ru_utime.tv_usec +
                  (after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1000000L +
                  after.ru_stime.tv_usec - before.ru_stime.tv_usec;
  if (us > 30000) dprintf(2, "%ld us of processor time while idle\n", us);
  CHECK(us <= 30000);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"pipes-4", pipes_4},
      {"pipes-33", pipes_33},
      {"pthread-barriers", pthread_barriers},
      {"condition-ring", condition_ring},
      {"semaphores", semaphores},
      {"futex-gate", futex_gate},
      {"poll-server", poll_server},
      {"nested-pipes", nested_pipes},
      {"tasks-block", tasks_block},
      {"waits-for-pthread", waits_for_pthread},
      {"quiet-afterwards", quiet_afterwards},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
