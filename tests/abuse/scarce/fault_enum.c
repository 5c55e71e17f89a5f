// SPDX-License-Identifier: Apache-2.0
// Enumerates the failure patterns of one function against a program's life, each in a process of
// its own: the k-th call fails, all calls from the k-th on fail, or every second call fails. The
// result must be right, in bounded time, with at most one warning of each kind. When calls no
// longer fail, the program continues as usual.
#include "scarce.h"
#include "task_life.h"

void abuse_fault_arm(int on) __attribute__((weak));
long abuse_fault_calls(const char* name) __attribute__((weak));

// Threads that spin until the last of them comes. One failure must not be taken for the end of all
// kernel threads, including the monitor.
static void waiting_life(void) {
  for (int turn = 0; turn < 3; turn++) {
    int ready = 0;
#pragma omp parallel num_threads(4)
    {
      int seen = omp_get_thread_num() == omp_get_num_threads() - 1;
      if (seen) {
#pragma omp atomic write
        ready = 1;
      }
      while (!seen) {
#pragma omp atomic read
        seen = ready;
      }
    }
  }
}

// The first helper to arrive ends the wait, and wakes the next one.
static void* brief_region(void* unused) {
  int ready = 0;
#pragma omp parallel num_threads(4)
  {
    int seen = omp_get_thread_num() != 0;
    if (seen) {
#pragma omp atomic write
      ready = 1;
    }
    while (!seen && omp_get_num_threads() > 1) {
#pragma omp atomic read
      seen = ready;
    }
  }
  return unused;
}

static void* waiting_region(void* unused) {
  waiting_life();
  return unused;
}

static void in_pthread(void* (*body)(void*)) {
  pthread_t thread;
  const int alone = proc_status("Threads:") == 1;
  while (pthread_create(&thread, NULL, body, NULL) != 0) {
  }
  CHECK(pthread_join(thread, NULL) == 0);
  // The runtime ends with the last thread that uses it.
  while (alone && proc_status("Threads:") > 1) sched_yield();
}

// The same just after a failure was noted, when the monitor of that time has ended.
static void waiting_roots_life(void) {
  setenv("BOBBIN_WORKERS", "4", 1);  // whatever load other processes make
  for (int turn = 0; turn < 2; turn++) {
    in_pthread(brief_region);
    in_pthread(waiting_region);
  }
}

static void target(const char* function, const char* life) {
  void (*const live)(void) = strcmp(life, "tasks") == 0     ? task_life
                             : strcmp(life, "needy") == 0   ? needy_life
                             : strcmp(life, "waiting") == 0 ? waiting_life
                             : strcmp(life, "roots") == 0   ? waiting_roots_life
                                                            : scarce_life;
  CHECK(abuse_fault_arm != NULL);
  abuse_fault_arm(1);
  live();
  abuse_fault_arm(0);
  live();
  if (getenv("ABUSE_COUNT") != NULL) dprintf(2, "%ld", abuse_fault_calls(function));
}

static int g_bad;

static long run_pattern(const char* preload, const char* function, const char* life,
                        const char* pattern, long k) {
  char fault[96], ld_preload[4096];
  const int counting = strcmp(pattern, "none") == 0;
  snprintf(fault, sizeof fault, "ABUSE_FAULT=%s:%s:%ld", function, pattern, k);
  if (strcmp(pattern, "odd") == 0 || strcmp(pattern, "even") == 0)
    snprintf(fault, sizeof fault, "ABUSE_FAULT=%s:%s", function, pattern);
  const char* present = getenv("LD_PRELOAD");
  snprintf(ld_preload, sizeof ld_preload, "LD_PRELOAD=%s%s%s", preload, present ? ":" : "",
           present ? present : "");
  const char* env[] = {fault, ld_preload, counting ? "ABUSE_COUNT=1" : "ABUSE_COUNT", NULL};
  char* argv[] = {(char*)"target", (char*)function, (char*)life, NULL};
  struct outcome out;
  run_self(argv, env, NULL, &out);
  if (counting) {
    if (out.status != 0) dprintf(2, "%s: %s\n", fault, out.err);
    CHECK(out.status == 0);
    return atol(out.err);
  }
  if (strcmp(life, "needy") == 0 && out.status == 1 &&
      strstr(out.err, ": out of memory for ") != NULL)
    return 0;
  if (out.status != 0 || !warnings_fit(out.err)) {
    dprintf(2, "%s: status %d, stderr:\n%.600s\n", fault, out.status, out.err);
    g_bad++;
  }
  return 0;
}

// usage: fault_enum INTERPOSER FUNCTION whole|tasks|needy|waiting|roots
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  if (strcmp(argv[1], "target") == 0) {
    target(argv[2], argv[3]);
    return 0;
  }
  const int once = strcmp(argv[3], "waiting") == 0 || strcmp(argv[3], "roots") == 0;
  const long calls = run_pattern(argv[1], argv[2], argv[3], "none", 0);
  long limit = 60;
  for (long k = 1, step = 1; k <= calls && g_bad < 5; k += step) {
    run_pattern(argv[1], argv[2], argv[3], "kth", k);
    if (once) continue;
    run_pattern(argv[1], argv[2], argv[3], "from", k);
    // All of the early calls; later the program's life repeats itself.
    if (k == limit) step = (calls - k) / 30 + 1;
  }
  if (once) return g_bad != 0;
  run_pattern(argv[1], argv[2], argv[3], "odd", 0);
  run_pattern(argv[1], argv[2], argv[3], "even", 0);
  printf("%s: %ld calls\n", argv[2], calls);
  return g_bad != 0;
}
