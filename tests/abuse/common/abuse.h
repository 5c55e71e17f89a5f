// SPDX-License-Identifier: Apache-2.0
// Shared by the abuse programs. They are plain C or C++ with OpenMP and know nothing of Bobbin.
// Each program runs the one case named by argv[1]. It ends with 0 when all is right, and otherwise
// says which check failed.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// CTest's SKIP_RETURN_CODE, for cases that cannot be set up on this machine.
enum { kSkip = 77 };

// After so many seconds an awaited event counts as hanging. Other processes may load the machine,
// and stop this one for minutes.
enum { kPatience = 600 };

// _exit: a failed check ends the process from any thread, without running anything else.
static inline void check_failed(const char* file, int line, const char* what) {
  const char* base = strrchr(file, '/');
  dprintf(2, "%s:%d: not true: %s (errno %d)\n", base ? base + 1 : file, line, what, errno);
  _exit(1);
}
#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

static inline double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- regions whose result shows whether every thread did its part once ----

static inline int region(int threads) {
  int sum = 0, team = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
#pragma omp single
    team = omp_get_num_threads();
    sum += omp_get_thread_num() + 1;
#pragma omp barrier
    sum += 1000;
  }
  CHECK(team >= 1 && team <= threads);
  CHECK(sum == team * (team + 1) / 2 + 1000 * team);
  return team;
}

static inline void nested_region(int outer, int inner) {
  int sum = 0, expected = 0;
#pragma omp parallel num_threads(outer) reduction(+ : sum, expected)
  {
    int part = 0, team = 0;
#pragma omp parallel num_threads(inner) reduction(+ : part)
    {
#pragma omp single
      team = omp_get_num_threads();
      part += omp_get_thread_num() + 1;
    }
    sum += part;
    expected += team * (team + 1) / 2;
  }
  CHECK(sum == expected && sum >= 1);
}

static inline long task_fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = task_fib(n - 1);
#pragma omp task shared(b)
  b = task_fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static inline void task_region(int threads) {
  long result = -1;
#pragma omp parallel num_threads(threads)
#pragma omp single
  result = task_fib(12);
  CHECK(result == 144);
}

static inline void loop_region(int threads) {
  enum { kN = 1000 };
  int* hits = (int*)calloc(kN, sizeof *hits);
  CHECK(hits != NULL);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 7)
  for (int i = 0; i < kN; i++) hits[i]++;
  for (int i = 0; i < kN; i++) CHECK(hits[i] == 1);
  free(hits);
}

static inline void all_regions(void) {
  omp_set_max_active_levels(3);
  region(4);
  nested_region(3, 3);
  task_region(4);
  loop_region(4);
  region(2);
}

// ---- children ----

// Waits for the child, for a long time. Returns its exit status, 128 + the signal that killed it,
// or -1 if it hung and had to be killed.
static inline int reap(pid_t pid) {
  int status = 0, fd = (int)syscall(SYS_pidfd_open, pid, 0);
  CHECK(fd >= 0);
  const double end = now_s() + (int)kPatience;  // C++ adds no enum to a double
  struct pollfd p = {fd, POLLIN, 0};
  int ready;
  do {
    const double left = end - now_s();
    ready = poll(&p, 1, left > 0 ? (int)(left * 1000) : 0);
  } while (ready < 0 && errno == EINTR);
  close(fd);
  if (ready <= 0) {
    // The child is kept, so that a debugger can show where it hangs.
    if (getenv("ABUSE_KEEP_HUNG") != NULL) {
      dprintf(2, "hung child %d kept\n", (int)pid);
      pause();
    }
    kill(pid, SIGKILL);
  }
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (ready <= 0) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A fork() whose child is killed when the test is killed.
static inline pid_t fork_child(void) {
  pid_t parent = getpid(), pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
  }
  return pid;
}

struct outcome {
  int status;      // as returned by reap()
  char err[8192];  // what it wrote to stderr
};

// Starts this program again as `self argv...` with `env` ("NAME=value", or "NAME" to unset) added,
// and collects its stderr. `prepare` runs in the child before exec.
static inline void run_self(char* const argv[], const char* const env[], void (*prepare)(void),
                            struct outcome* out) {
  int fds[2];
  CHECK(pipe2(fds, O_CLOEXEC) == 0);
  char* args[16] = {(char*)"/proc/self/exe"};
  for (int i = 0; i < 14 && argv[i] != NULL; i++) args[i + 1] = argv[i];
  pid_t pid = fork_child();
  if (pid == 0) {
    dup2(fds[1], 2);
    for (int i = 0; env != NULL && env[i] != NULL; i++) {
      if (strchr(env[i], '=') != NULL)
        putenv((char*)env[i]);
      else
        unsetenv(env[i]);
    }
    // An expected SIGSEGV needs no core file.
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (prepare != NULL) prepare();
    execv(args[0], args);
    _exit(126);
  }
  close(fds[1]);
  size_t used = 0;
  const double end = now_s() + (int)kPatience;  // C++ adds no enum to a double
  for (;;) {
    struct pollfd p = {fds[0], POLLIN, 0};
    const double left = end - now_s();
    if (left <= 0) break;
    if (poll(&p, 1, (int)(left * 1000) + 1) <= 0) continue;
    char sink[512];
    const int room = used + 1 < sizeof out->err;
    ssize_t n = room ? read(fds[0], out->err + used, sizeof out->err - 1 - used)
                     : read(fds[0], sink, sizeof sink);
    if (n <= 0) break;
    if (room) used += (size_t)n;
  }
  out->err[used] = '\0';
  close(fds[0]);
  out->status = reap(pid);
}

static inline int count_lines(const char* text) {
  int lines = 0;
  for (; *text != '\0'; text++) lines += *text == '\n';
  return lines;
}

// A number from /proc/self/status, e.g. "VmRSS:" in kB or "Threads:".
static inline long proc_status(const char* key) {
  char line[256];
  long value = -1;
  FILE* f = fopen("/proc/self/status", "r");
  CHECK(f != NULL);
  while (fgets(line, sizeof line, f) != NULL)
    if (strncmp(line, key, strlen(key)) == 0) value = atol(line + strlen(key));
  fclose(f);
  return value;
}

// ---- cases ----

struct abuse_case {
  const char* name;
  void (*run)(void);
};

static inline int run_case(const struct abuse_case* cases, int argc, char** argv) {
  for (; argc > 1 && cases->name != NULL; cases++) {
    if (strcmp(cases->name, argv[1]) == 0) {
      cases->run();
      return 0;
    }
  }
  dprintf(2, "usage: %s CASE\n", argv[0]);
  return 2;
}
