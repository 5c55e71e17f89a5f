// SPDX-License-Identifier: Apache-2.0
// Far too many threads, stacks that are far too small or far too large, and systems that lack the
// usual files.
#include <sys/mount.h>

#include "../common/abuse.h"

// ---- threads ----

static long leaves(int a, int b, int c) {
  long count = 0;
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(a) reduction(+ : count)
  {
#pragma omp parallel num_threads(b) reduction(+ : count)
    {
#pragma omp parallel num_threads(c) reduction(+ : count)
      {
        CHECK(omp_get_level() == 3 && omp_get_ancestor_thread_num(1) < a &&
              omp_get_ancestor_thread_num(2) < b && omp_get_thread_num() < c);
        count++;
      }
    }
  }
  return count;
}

static void nested_129(void) {
  CHECK(leaves(129, 3, 2) == 129 * 3 * 2);
  CHECK(leaves(3, 129, 2) == 3 * 129 * 2);
  CHECK(leaves(2, 3, 129) == 2 * 3 * 129);
  CHECK(leaves(129, 3, 2) == 129 * 3 * 2);
}

// Sixteen thousand inner threads. A runtime may provide fewer.
static void nested_129_129(void) {
  const long count = leaves(129, 129, 2);
  CHECK(count >= 1 && count <= 129 * 129 * 2);
  CHECK(region(129) >= 1);
}

static void barriers_129(void) {
  int wrong = 0;
  static int slots[129];
#pragma omp parallel num_threads(129) reduction(+ : wrong)
  {
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    for (int turn = 1; turn <= 20; turn++) {
      slots[me] = turn;
#pragma omp barrier
      wrong += slots[(me + turn) % team] != turn;
#pragma omp barrier
    }
  }
  CHECK(wrong == 0);
}

static void growing(void) {
  for (int threads = 1; threads <= 400; threads += 57) CHECK(region(threads) >= 1);
  for (int threads = 400; threads >= 1; threads -= 57) CHECK(region(threads) >= 1);
}

// ---- stacks: the child runs with OMP_STACKSIZE set ----

static __attribute__((noinline)) long touch(long bytes) {
  char block[4096];
  memset(block, (int)bytes, sizeof block);
  __asm__ volatile("" : : "r"(block) : "memory");
  return bytes <= 4096 ? 1 : touch(bytes - 4096) + (block[7] == (char)bytes);
}

static void use_stack(long kb) {
  long wrong = 0;
#pragma omp parallel num_threads(5) reduction(+ : wrong)
  {
#pragma omp barrier
    // The initial thread's stack is not tested here.
    if (kb > 0 && omp_get_thread_num() > 0) wrong += touch(kb * 1024) < kb / 4 - 3;
  }
  CHECK(wrong == 0);
}

static void stack_child(const char* use_kb) {
  omp_set_max_active_levels(3);
  region(8);
  nested_region(3, 3);
  loop_region(8);
  task_region(4);
  use_stack(atol(use_kb));
}

enum warning { kQuiet, kMayWarn };

static void with_stack(const char* omp_stacksize, const char* use_kb, void (*prepare)(void),
                       enum warning warning) {
  char variable[64];
  struct outcome out;
  char* argv[] = {(char*)"stack-child", (char*)use_kb, NULL};
  snprintf(variable, sizeof variable, "OMP_STACKSIZE=%s", omp_stacksize ? omp_stacksize : "");
  const char* env[] = {omp_stacksize ? variable : "OMP_STACKSIZE", NULL};
  run_self(argv, env, prepare, &out);
  const int lines = count_lines(out.err), allowed = warning == kMayWarn ? 2 : 0;
  if (out.status != 0 || lines > allowed)
    dprintf(2, "%s, using %s kB: status %d, stderr '%s'\n", variable, use_kb, out.status, out.err);
  CHECK(out.status == 0 && lines <= allowed);
}

static void* first_region(void* arg) {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  sum++;
  *(int*)arg = sum;
  return NULL;
}

// The first thread that uses OpenMP has the smallest possible stack.
static void root_smallest(void) {
  pthread_attr_t small;
  pthread_t thread;
  int sum = 0;
  pthread_attr_init(&small);
  CHECK(pthread_attr_setstacksize(&small, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0);
  CHECK(pthread_create(&thread, &small, first_region, &sum) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(sum == 4);
}

// What it does then may be more than usual.
static void root_smallest_with(const char* variable, const char* shown) {
  struct outcome out;
  char* argv[] = {(char*)"root-smallest", NULL};
  const char* env[] = {variable, NULL};
  run_self(argv, env, NULL, &out);
  if (out.status != 0) dprintf(2, "%s: status %d, stderr '%s'\n", variable, out.status, out.err);
  CHECK(out.status == 0 && strstr(out.err, shown) != NULL);
}

static void root_smallest_displays(void) {
  root_smallest_with("OMP_DISPLAY_ENV=verbose", "OPENMP DISPLAY ENVIRONMENT END");
}

static void root_smallest_subset(void) { root_smallest_with("KMP_HW_SUBSET=:1t", ""); }

static void stack_small(void) {
  with_stack("16k", "0", NULL, kMayWarn);
  with_stack("1B", "0", NULL, kMayWarn);
  with_stack("64k", "32", NULL, kMayWarn);
}

static void stack_honoured(void) {
  with_stack("1M", "900", NULL, kQuiet);
  with_stack("32M", "30000", NULL, kQuiet);
  // The default is the size that a pthread gets; programs have come to rely on it.
  with_stack(NULL, "6000", NULL, kQuiet);
}

static void stack_huge(void) {
  with_stack("100g", "1000", NULL, kMayWarn);
  with_stack("20000g", "1000", NULL, kMayWarn);
}

static void unlimited_stack(void) {
  const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
  if (setrlimit(RLIMIT_STACK, &unlimited) != 0) _exit(kSkip);
}

static void stack_unlimited(void) {
  with_stack(NULL, "1000", unlimited_stack, kQuiet);
  with_stack("8M", "7000", unlimited_stack, kQuiet);
}

static int descend(int levels) {
  volatile char room[16 * 1024];
  int below = 0;
  room[0] = room[sizeof room - 1] = 1;
  if (levels == 0) return 0;
#pragma omp task if (0) shared(below)
  below = descend(levels - 1);
  return below + room[0];
}

// The child has one thread, the process's first one, on a stack that the C library has made.
static void* fork_and_descend(void* unused) {
  const pid_t child = fork_child();
  if (child == 0) _exit(descend(1600) == 1600 ? 0 : 1);
  CHECK(reap(child) == 0);
  return unused;
}

static void unlimited_child(void) {
  pthread_t forking;
  CHECK(pthread_create(&forking, NULL, fork_and_descend, NULL) == 0);
  CHECK(pthread_join(forking, NULL) == 0);
}

static void stack_unlimited_child(void) {
  struct outcome out;
  char* argv[] = {(char*)"unlimited-child", NULL};
  run_self(argv, NULL, unlimited_stack, &out);
  if (out.status == kSkip) exit(kSkip);
  CHECK(out.status == 0);
}

// ---- surroundings ----

static void close_all(void) {
  for (int fd = 0; fd < 64; fd++) close(fd);
}

static void close_stderr(void) { close(2); }

static void closed_files(void) {
  struct outcome out;
  char* argv[] = {(char*)"stack-child", (char*)"0", NULL};
  const char* bad[] = {"OMP_NUM_THREADS=nonsense", "OMP_SCHEDULE=nonsense", NULL};
  const char* display[] = {"OMP_DISPLAY_ENV=verbose", "OMP_DISPLAY_AFFINITY=true", NULL};
  run_self(argv, bad, close_stderr, &out);
  CHECK(out.status == 0);
  run_self(argv, display, close_all, &out);
  CHECK(out.status == 0);
}

// A process without /proc and /sys, as in a chroot or a bare container.
static void no_proc(void) {
  if (unshare(CLONE_NEWNS) != 0) exit(kSkip);
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) exit(kSkip);
  // It is held open, because /proc/self/exe is about to vanish.
  const int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  CHECK(self >= 0);
  if (mount("none", "/proc", "tmpfs", 0, NULL) != 0 || mount("none", "/sys", "tmpfs", 0, NULL) != 0)
    exit(kSkip);
  static const char* const bind[] = {"OMP_PROC_BIND=false", "OMP_PROC_BIND=spread"};
  for (int i = 0; i < 2; i++) {
    pid_t pid = fork_child();
    if (pid == 0) {
      putenv((char*)bind[i]);
      char* argv[] = {(char*)"size", (char*)"stack-child", (char*)"0", NULL};
      fexecve(self, argv, environ);
      // fexecve uses /proc where execveat is missing.
      _exit(kSkip);
    }
    const int status = reap(pid);
    if (status == kSkip) exit(kSkip);
    CHECK(status == 0);
  }
  all_regions();
}

static void* count_processors(void* arg) {
  *(int*)arg = omp_get_max_threads();
  CHECK(region(omp_get_max_threads()) == 1);
  return NULL;
}

// The first thread that uses OpenMP is not the main thread.
static void subset_child(void) {
  pthread_t thread;
  cpu_set_t mask;
  int threads = 0;
  CHECK(pthread_create(&thread, NULL, count_processors, &threads) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(threads == 1 && omp_get_num_procs() == 1 && omp_get_max_threads() == 1);
  CHECK(sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_COUNT(&mask) == 1);
}

static void subset_by_thread(void) {
  struct outcome out;
  char* argv[] = {(char*)"subset-child", NULL};
  const char* env[] = {"KMP_HW_SUBSET=:1t", "OMP_NUM_THREADS", NULL};
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2) exit(kSkip);
  run_self(argv, env, NULL, &out);
  if (out.status != 0) dprintf(2, "%s", out.err);
  CHECK(out.status == 0 && out.err[0] == '\0');
}

static void empty_environment_child(void) {
  clearenv();
  all_regions();
  CHECK(omp_get_max_threads() >= 1);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"nested-129", nested_129},
      {"nested-129-129", nested_129_129},
      {"barriers-129", barriers_129},
      {"growing", growing},
      {"root-smallest", root_smallest},
      {"root-smallest-displays", root_smallest_displays},
      {"root-smallest-subset", root_smallest_subset},
      {"stack-small", stack_small},
      {"stack-honoured", stack_honoured},
      {"stack-huge", stack_huge},
      {"stack-unlimited", stack_unlimited},
      {"stack-unlimited-child", stack_unlimited_child},
      {"closed-files", closed_files},
      {"no-proc", no_proc},
      {"subset-by-thread", subset_by_thread},
      {"empty-environment", empty_environment_child},
      {NULL, NULL},
  };
  if (argc == 3 && strcmp(argv[1], "stack-child") == 0) {
    stack_child(argv[2]);
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "unlimited-child") == 0) {
    unlimited_child();
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "subset-child") == 0) {
    subset_child();
    return 0;
  }
  return run_case(cases, argc, argv);
}
