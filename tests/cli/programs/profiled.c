// SPDX-License-Identifier: Apache-2.0
// Constructs of which the test knows what a profile must tell.
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)  // the task
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static int tasks(void) {
  int result = 0;
#pragma omp parallel  // region of tasks
#pragma omp single
  result = fib(22);
  return result == 17711 ? 0 : 1;
}

// The thread that makes tasks goes on until the other one has executed one.
static int theft(void) {
  int taken = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    const int maker = omp_get_thread_num();
    while (__atomic_load_n(&taken, __ATOMIC_ACQUIRE) == 0) {
#pragma omp task shared(taken)  // the task that is taken
      if (omp_get_thread_num() != maker) __atomic_store_n(&taken, 1, __ATOMIC_RELEASE);
      usleep(100);
    }
  }
  return 0;
}

static void work(double seconds) {
  const double begin = omp_get_wtime();
  while (omp_get_wtime() - begin < seconds) {
  }
}

// Of two threads, the second works three times as long.
static int loop(void) {
#pragma omp parallel num_threads(2)  // region of the loop
#pragma omp for schedule(runtime)    // the loop
  for (int i = 0; i < 4; i++) work(i < 2 ? 0.01 : 0.03);
  return 0;
}

static int barriers(void) {
#pragma omp parallel
  for (int i = 0; i < 20; i++) {
    work(0.0005);
#pragma omp barrier
  }
  return 0;
}

// The thread that comes first stays inside for 50 ms from when the other one is about to enter.
static int critical(void) {
  int arrived = 0;
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 10; i++) {
    if (i == 0) {
#pragma omp atomic
      arrived++;
    }
#pragma omp critical  // the fight
    {
      int seen = 0;
      while (seen < 2) {
#pragma omp atomic read
        seen = arrived;
      }
      work(i == 0 ? 0.05 : 0.001);
    }
  }
  return 0;
}

// Each task waits for the one before, and the maker for all.
static int chain(void) {
  int value = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : value)  // a link
      {
        work(0.0005);
        value++;
      }
    }
#pragma omp taskwait  // the wait
  }
  return value == 100 ? 0 : 1;
}

static int ordered(void) {
  int next = 0;
#pragma omp parallel for ordered num_threads(2) schedule(static, 1)
  for (int i = 0; i < 20; i++) {
#pragma omp ordered
    next += next == i;
  }
  return next == 20 ? 0 : 1;
}

static int locks(void) {
  omp_lock_t lock;
  omp_nest_lock_t nested;
  int set = 0;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nested);
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 50; i++) {
    omp_set_lock(&lock);
    set++;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nested);
    omp_set_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    if (omp_test_lock(&lock)) omp_unset_lock(&lock);
  }
  return set == 100 ? 0 : 1;
}

// A thread is killed in a region that it has worked in for a while.
static int killed(int signal_number) {
#pragma omp parallel num_threads(2)
  {
    work(0.05);
#pragma omp barrier
#pragma omp single
    raise(signal_number);
    work(10);
  }
  return 0;
}

static int child(void) {
  const int status = tasks();
  const pid_t other = fork();
  if (other == 0) _exit(loop() + 7);
  int end;
  if (waitpid(other, &end, 0) != other) return 1;
  return status == 0 && WIFEXITED(end) ? WEXITSTATUS(end) : 1;
}

static int executes(char** argv) {
  if (tasks() != 0) return 1;
  argv[1] = "loop";
  execv(argv[0], argv);
  return 1;
}

// Waits for a signal, and tells the test when it can be sent.
static volatile sig_atomic_t signalled = 0;
static void note(int number) { signalled = number; }
static int patient(void) {
  signal(SIGUSR1, note);
  if (tasks() != 0 || write(STDOUT_FILENO, "ready\n", 6) != 6) return 1;
  while (signalled == 0) usleep(1000);
  return signalled == SIGUSR1 ? 3 : 1;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const char* what = argv[1];
  if (strcmp(what, "tasks") == 0) return tasks();
  if (strcmp(what, "theft") == 0) return theft();
  if (strcmp(what, "loop") == 0) return loop();
  if (strcmp(what, "barriers") == 0) return barriers();
  if (strcmp(what, "critical") == 0) return critical();
  if (strcmp(what, "chain") == 0) return chain();
  if (strcmp(what, "ordered") == 0) return ordered();
  if (strcmp(what, "locks") == 0) return locks();
  if (strcmp(what, "killed") == 0) return killed(atoi(argv[2]));
  if (strcmp(what, "child") == 0) return child();
  if (strcmp(what, "executes") == 0) return executes(argv);
  if (strcmp(what, "patient") == 0) return patient();
  return 2;
}
