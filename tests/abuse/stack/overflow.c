// SPDX-License-Identifier: Apache-2.0
// A stack overflow is reported with the thread's number and the variable to raise. Then it kills
// the process as SIGSEGV does. A wild pointer is not reported as an overflow.
#include "../common/abuse.h"

static volatile int g_sink, g_endless = 1;
static int* volatile g_wild = (int*)16;

__attribute__((noinline)) static int recurse(int depth) {
  volatile char frame[900];
  frame[0] = (char)depth;
  g_sink = depth;
  return g_endless ? recurse(depth + 1) + frame[0] : 0;
}

// The recursion is so deep that the runtime continues on another stack, and overflows that one.
static void descend(int depth) {
  volatile char frame[1024];
  frame[0] = (char)depth;
  if (depth == 0) recurse(0);
#pragma omp task if (0)
  descend(depth - 1);
  g_sink = frame[0];
}

static void in_thread(int which, int threads) {
#pragma omp parallel num_threads(threads)
  {
    if (omp_get_thread_num() == which) recurse(0);
#pragma omp barrier
  }
}

static void* in_pthread(void* arg) {
  in_thread(0, 4);
  return arg;
}

// The child's work, which it should not survive.
static void child(const char* where) {
  pthread_t thread;
  omp_set_max_active_levels(3);
  if (strcmp(where, "thread-3") == 0) {
    in_thread(3, 4);
  } else if (strcmp(where, "thread-32") == 0) {
    in_thread(32, 33);
  } else if (strcmp(where, "second-region") == 0) {
    region(4);
    region(4);
    in_thread(2, 4);
  } else if (strcmp(where, "initial-thread") == 0) {
    in_thread(0, 4);
  } else if (strcmp(where, "after-region") == 0) {
    region(4);
    recurse(0);
  } else if (strcmp(where, "pthread-root") == 0) {
    pthread_create(&thread, NULL, in_pthread, NULL);
    pthread_join(thread, NULL);
  } else if (strcmp(where, "task") == 0) {
    // Any thread may take it: all except the master wait for tasks in the barrier.
#pragma omp parallel num_threads(4)
    {
      if (omp_get_thread_num() == 1) {
#pragma omp task
        recurse(0);
#pragma omp taskwait
      }
    }
  } else if (strcmp(where, "fresh-stack") == 0) {
#pragma omp parallel num_threads(4)
    {
      if (omp_get_thread_num() == 2) descend(1000);
#pragma omp barrier
    }
  } else if (strcmp(where, "nested") == 0) {
    // Only in one of the two inner teams, because two overflows at once are two reports.
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) in_thread(2, 3);
  } else if (strcmp(where, "own-kernel-thread") == 0) {
    // A barrier that blocks kernel threads puts each thread on a kernel thread of its own.
    pthread_barrier_t all_here;
    omp_set_dynamic(0);
    CHECK(pthread_barrier_init(&all_here, NULL, 9) == 0);
#pragma omp parallel num_threads(9)
    {
      pthread_barrier_wait(&all_here);
      if (omp_get_thread_num() == 5) recurse(0);
      pthread_barrier_wait(&all_here);
    }
  } else if (strcmp(where, "wild-pointer") == 0) {
#pragma omp parallel num_threads(4)
    {
      if (omp_get_thread_num() == 1) *g_wild = 1;
#pragma omp barrier
    }
  } else if (strcmp(where, "raise") == 0) {
#pragma omp parallel num_threads(4)
    {
      if (omp_get_thread_num() == 1) kill(getpid(), SIGSEGV);
#pragma omp barrier
    }
  }
  _exit(1);
}

enum report { kSilent, kNames };

static void expect(const char* where, enum report report, int thread_num) {
  struct outcome out;
  char* argv[] = {(char*)"child", (char*)where, NULL};
  const char* env[] = {"OMP_STACKSIZE=256k", NULL};
  run_self(argv, env, NULL, &out);
  int good = out.status == 128 + SIGSEGV;
  if (report == kSilent) {
    good = good && out.err[0] == '\0';
  } else {
    char number[32];
    snprintf(number, sizeof number, "thread %d", thread_num);
    good = good && strstr(out.err, "OMP_STACKSIZE") != NULL && count_lines(out.err) == 1;
    good = good && (thread_num < 0 || strstr(out.err, number) != NULL);
    good = good && (thread_num <= 0 || strstr(out.err, "raise OMP_STACKSIZE") != NULL);
  }
  if (!good) dprintf(2, "%s: status %d, stderr '%s'\n", where, out.status, out.err);
  CHECK(good);
}

static void threads(void) {
  expect("thread-3", kNames, 3);
  expect("thread-32", kNames, 32);
  expect("second-region", kNames, 2);
  expect("nested", kNames, 2);
}

static void initial(void) {
  expect("initial-thread", kNames, 0);
  expect("after-region", kNames, 0);
  expect("pthread-root", kNames, 0);
}

static void task(void) { expect("task", kNames, -1); }

static void fresh_stack(void) { expect("fresh-stack", kNames, 2); }

static void every_kernel_thread(void) { expect("own-kernel-thread", kNames, 5); }

static void not_overflow(void) {
  expect("wild-pointer", kSilent, 0);
  expect("raise", kSilent, 0);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"threads", threads},
      {"initial", initial},
      {"task", task},
      {"fresh-stack", fresh_stack},
      {"every-kernel-thread", every_kernel_thread},
      {"not-overflow", not_overflow},
      {NULL, NULL},
  };
  if (argc == 3 && strcmp(argv[1], "child") == 0) child(argv[2]);
  return run_case(cases, argc, argv);
}
