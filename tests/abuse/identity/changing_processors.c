// SPDX-License-Identifier: Apache-2.0
// The processors of a process change while it runs: somebody else narrows and widens the affinity
// masks of its threads, as taskset does, or changes the cpu quota of its control group. The workers
// follow, omp_get_num_procs() tells the truth, and nothing hangs.
#include <dirent.h>
#include <sys/stat.h>

#include "masks.h"

static cpu_set_t one, all;
static int to_other, from_other;  // pipes

static void give_mask(pid_t thread, const cpu_set_t* mask) {
  CHECK(syscall(SYS_sched_setaffinity, thread, sizeof *mask, mask) == 0 || errno == ESRCH);
}

static void give_mask_to_all(pid_t process, const cpu_set_t* mask) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR* folder = opendir(path);
  CHECK(folder != NULL);
  for (struct dirent* entry; (entry = readdir(folder)) != NULL;) {
    if (entry->d_name[0] != '.') give_mask(atoi(entry->d_name), mask);
  }
  closedir(folder);
}

// The other process. Commands: narrow or widen the initial thread, narrow or widen all threads.
static void serve(pid_t process, int commands, int answers) {
  for (char command; read(commands, &command, 1) == 1;) {
    if (command == 'n') give_mask(process, &one);
    if (command == 'w') give_mask(process, &all);
    if (command == 'N') give_mask_to_all(process, &one);
    if (command == 'W') give_mask_to_all(process, &all);
    CHECK(write(answers, &command, 1) == 1);
  }
  _exit(0);
}

static void tell_other(char command) {
  CHECK(write(to_other, &command, 1) == 1);
  CHECK(read(from_other, &command, 1) == 1);
}

static void start_other(void) {
  all = kernel_mask();
  if (CPU_COUNT(&all) < 2) exit(kSkip);
  one = last_of(&all);
  int commands[2], answers[2];
  CHECK(pipe(commands) == 0 && pipe(answers) == 0);
  const pid_t process = getpid();
  if (fork() == 0) {
    close(commands[1]);
    serve(process, commands[0], answers[1]);
  }
  to_other = commands[1];
  from_other = answers[0];
}

static int has_fibers(void) {
  const char* provider = getenv("BOBBIN_PROVIDER");
  return provider != NULL && strcmp(provider, "fiber") == 0;
}

static int dynamic_team(void) {
  int size = 0;
#pragma omp parallel num_threads(64)
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

// Until the other kernel threads run where `mask` says, and regions are as large as that.
static void expect_to_follow(const cpu_set_t* mask) {
  for (;;) {
    omp_set_dynamic(0);
    const cpu_set_t helper = mask_of_helper();
    omp_set_dynamic(1);
    const int size = dynamic_team();
    const int followed = !has_fibers() || CPU_EQUAL(&helper, mask);
    if (followed && size <= CPU_COUNT(mask) && omp_get_num_procs() == size) return;
  }
}

static void of_initial_thread(void) {
  start_other();
  const int procs = omp_get_num_procs();
  expect_to_follow(&all);
  for (int i = 0; i < 2; i++) {
    tell_other('n');
    expect_to_follow(&one);
    CHECK(omp_get_num_procs() == 1);
    tell_other('w');
    expect_to_follow(&all);
    CHECK(omp_get_num_procs() == procs);
  }
}

// The same without a region before.
static void from_one(void) {
  start_other();
  tell_other('n');
  expect_to_follow(&one);
  tell_other('w');
  expect_to_follow(&all);
}

// Threads of a region wait for each other while the masks of all kernel threads change.
static void change_in_region(void) {
  enum { kThreads = 4, kTimes = 20 };
  atomic_int arrived = 0;
#pragma omp parallel num_threads(kThreads)
  for (int i = 1; i <= kTimes; i++) {
    if (omp_get_thread_num() == i % kThreads) tell_other(i % 2 != 0 ? 'N' : 'W');
    arrived++;
    while (arrived < i * kThreads) sched_yield();
#pragma omp barrier
  }
  CHECK(arrived == kTimes * kThreads);
}

static void in_region(void) {
  start_other();
  for (int i = 0; i < 3; i++) change_in_region();
  tell_other('W');
  expect_to_follow(&all);
}

// The places of some threads are not in the mask any more.
static void of_bound_threads(void) {
  start_other();
  CHECK(setenv("OMP_PROC_BIND", "close", 1) == 0);
  CHECK(setenv("OMP_PLACES", "threads", 1) == 0);
  for (int i = 0; i < 3; i++) change_in_region();
  tell_other('N');
  for (int i = 0; i < 50; i++) CHECK(region(4) == 4);
  tell_other('W');
  for (int i = 0; i < 50; i++) CHECK(region(4) == 4);
  CHECK(omp_get_num_procs() == CPU_COUNT(&all));
}

// ---- a quota ----

static int write_file(const char* folder, const char* name, const char* text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const int file = open(path, O_WRONLY);
  if (file < 0) return 0;
  const int written = write(file, text, strlen(text)) == (ssize_t)strlen(text);
  close(file);
  return written;
}

static int set_quota(const char* group, int processors) {
  char text[64];
  snprintf(text, sizeof text, "%d", processors * 100000);
  if (write_file(group, "cpu.cfs_quota_us", text)) return 1;
  snprintf(text, sizeof text, "%d 100000", processors * 100000);
  return write_file(group, "cpu.max", text);
}

static void of_quota(void) {
  static const char* const roots[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup"};
  all = kernel_mask();
  if (CPU_COUNT(&all) < 2) exit(kSkip);
  char group[128], process[32];
  snprintf(process, sizeof process, "%d", getpid());
  omp_set_dynamic(1);
  const int before = dynamic_team();
  for (int i = 0; i < 2; i++) {
    snprintf(group, sizeof group, "%s/bobbin-test-%s", roots[i], process);
    if (mkdir(group, 0777) != 0) continue;
    if (!set_quota(group, 1) || !write_file(group, "cgroup.procs", process)) {
      rmdir(group);
      continue;
    }
    while (dynamic_team() != 1) {
    }
    CHECK(omp_get_num_procs() == 1);
    CHECK(set_quota(group, before));
    while (dynamic_team() != before) {
    }
    CHECK(omp_get_num_procs() == before);
    CHECK(write_file(roots[i], "cgroup.procs", process));
    CHECK(rmdir(group) == 0);
    return;
  }
  exit(kSkip);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"of-initial-thread", of_initial_thread}, {"from-one", from_one}, {"in-region", in_region},
      {"of-bound-threads", of_bound_threads},   {"of-quota", of_quota}, {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
