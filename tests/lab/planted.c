/* SPDX-License-Identifier: Apache-2.0 */
/* Each case has one fault, at the line with its name in a comment. `even` has none. Parts that
 * sleep take as long on a busy machine. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static void sleep_ms(long ms) { usleep(1000 * ms); }

/* What it takes is processor time. */
NOINLINE static void work_ms(long ms) {
  struct timespec begin, now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < ms * 1000000L);
}

static void even(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 200; i++) sleep_ms(1);
}

static void uneven(void) {
#pragma omp parallel for schedule(static)  // imbalance
  for (int i = 0; i < 40; i++) sleep_ms(i < 20 ? 10 : 1);
}

static void in_turns(void) {
#pragma omp parallel
  for (int i = 0; i < 20; i++) {
    work_ms(i % omp_get_num_threads() == omp_get_thread_num() ? 10 : 2);
#pragma omp barrier  // waits
  }
}

static void start_up(void) {
  sleep_ms(200);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 20; i++) work_ms(5);
}

static void serial(void) {
#pragma omp parallel
  work_ms(1);
  sleep_ms(200);
#pragma omp parallel for schedule(dynamic)  // serial part
  for (int i = 0; i < 50; i++) sleep_ms(1);
}

static void lock(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 100; i++) {
#pragma omp critical  // lock
    sleep_ms(2);
  }
}

static void chain(void) {
  int link = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : link)  // too little parallelism
    work_ms(2);
  }
}

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)  // too fine tasks
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void fine_tasks(void) {
#pragma omp parallel
#pragma omp single
  fib(27);
}

static void fine_chunks(void) {
  volatile double sums[64 * 8] = {0};
#pragma omp parallel for schedule(dynamic)  // too fine chunks
  for (int i = 0; i < 3000000; i++) sums[omp_get_thread_num() % 64 * 8] += i;
}

static void brief(void) {
  for (int i = 0; i < 30000; i++) {
#pragma omp parallel  // too brief regions
    __asm__ volatile("");
  }
}

static void crowd(void) {
#pragma omp parallel for schedule(dynamic) num_threads(4 * omp_get_num_procs())  // more threads
  for (int i = 0; i < 200; i++) sleep_ms(1);
}

/* Each write takes the cache line away from the other threads. */
static void memory(void) {
  static long shared[8];
#pragma omp parallel for schedule(dynamic)  // memory
  for (int i = 0; i < 400; i++) {
    for (int k = 0; k < 100000; k++) {
      __atomic_fetch_add(&shared[omp_get_thread_num() % 8], 1, __ATOMIC_RELAXED);
    }
  }
}

int main(int argc, char** argv) {
  const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"even", even},     {"uneven", uneven},         {"in_turns", in_turns},
               {"serial", serial}, {"start_up", start_up},     {"lock", lock},
               {"chain", chain},   {"fine_tasks", fine_tasks}, {"fine_chunks", fine_chunks},
               {"brief", brief},   {"crowd", crowd},           {"memory", memory}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (argc < 2 || strcmp(argv[1], cases[i].name) != 0) continue;
    cases[i].run();
    return 0;
  }
  return 1;
}
