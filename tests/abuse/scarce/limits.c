// SPDX-License-Identifier: Apache-2.0
// Resource limits of the operating system: no more kernel threads, or no more address space.
#include <grp.h>
#include <malloc.h>

#include "scarce.h"

enum { kNobody = 65534 };

// Runs `life` in a child after `constrain`, and checks its stderr.
static void constrained(const char* what, void (*constrain)(long), long value) {
  int fds[2];
  CHECK(pipe(fds) == 0);
  pid_t pid = fork_child();
  if (pid == 0) {
    dup2(fds[1], 2);
    close(fds[0]);
    close(fds[1]);
    constrain(value);
    scarce_life();
    exit(0);
  }
  close(fds[1]);
  const int status = reap(pid);
  char err[4096];
  size_t used = 0;
  ssize_t n;
  while (used + 1 < sizeof err && (n = read(fds[0], err + used, sizeof err - 1 - used)) > 0)
    used += (size_t)n;
  err[used] = '\0';
  close(fds[0]);
  if (status != 0 || !warnings_fit(err))
    dprintf(2, "%s %ld: status %d, stderr:\n%s\n", what, value, status, err);
  CHECK(status == 0 && warnings_fit(err));
}

static void limit_threads(long threads) {
  struct rlimit limit = {(rlim_t)threads, (rlim_t)threads};
  CHECK(setrlimit(RLIMIT_NPROC, &limit) == 0);
  if (geteuid() == 0) {
    // The limit does not bind root.
    CHECK(setgroups(0, NULL) == 0 && setgid(kNobody) == 0 && setuid(kNobody) == 0);
  } else {
    CHECK(unshare(CLONE_NEWUSER) == 0);  // there the user's other processes do not count
  }
}

static int may_unshare(void) {
  const pid_t pid = fork_child();
  if (pid == 0) _exit(unshare(CLONE_NEWUSER) == 0);
  return reap(pid) == 1;
}

static void nproc(void) {
  if (geteuid() != 0 && !may_unshare()) exit(kSkip);
  for (long n = 1; n <= 6; n++) constrained("RLIMIT_NPROC", limit_threads, n);
}

static void limit_address_space(long extra_kb) {
  const rlim_t bytes = ((rlim_t)proc_status("VmSize:") + (rlim_t)extra_kb) * 1024;
  struct rlimit limit = {bytes, bytes};
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

static void address_space(void) {
  static const long extra_kb[] = {0, 64, 256, 1024, 4096, 9000, 20000, 40000, 80000, 200000};
  for (unsigned i = 0; i < sizeof extra_kb / sizeof *extra_kb; i++)
    constrained("RLIMIT_AS +kB", limit_address_space, extra_kb[i]);
}

// RLIMIT_AS that becomes too small in the middle: an existing pool must not be lost.
static void address_space_later(void) {
  region(4);
  limit_address_space(0);
  scarce_life();
  region(64);
  region(4);
}

// Many threads take address space. Enough of it must be left for the program.
static void address_space_left(void) {
  enum { kBlocks = 40 };
  static void* blocks[kBlocks];
  // Otherwise the C library reserves 64 MB for the first thread that allocates beside this one. By
  // chance that is a worker of the runtime, and after the stacks, so that too little is left.
  CHECK(mallopt(M_ARENA_MAX, 1) == 1);
  limit_address_space(300 * 1024);
  region(64);
  for (int i = 0; i < kBlocks; i++) {
    blocks[i] = malloc(1 << 20);
    CHECK(blocks[i] != NULL);
  }
  for (int i = 0; i < kBlocks; i++) free(blocks[i]);
}

// A stack and its guard are two mappings. A process usually has at most 65,530 mappings.
static void mappings_left(void) {
#pragma omp parallel num_threads(33000)
  {
#pragma omp barrier
#pragma omp single
    {
      enum { kBytes = 16 << 20 };  // large enough for its own mapping
      void* block = malloc(kBytes);
      FILE* file = fopen("/proc/self/status", "r");
      CHECK(block != NULL && file != NULL);
      fclose(file);
      free(block);
    }
  }
}

static void limit_stack(long kb) {
  struct rlimit limit = {(rlim_t)kb * 1024, RLIM_INFINITY};
  CHECK(setrlimit(RLIMIT_STACK, &limit) == 0);
}

static void limit_files(long n) {
  struct rlimit limit = {(rlim_t)n, (rlim_t)n};
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

static void small_stack(void) { constrained("RLIMIT_STACK kB", limit_stack, 256); }
static void no_files(void) { constrained("RLIMIT_NOFILE", limit_files, 3); }

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"nproc", nproc},
      {"address-space", address_space},
      {"address-space-later", address_space_later},
      {"address-space-left", address_space_left},
      {"mappings-left", mappings_left},
      {"small-stack", small_stack},
      {"no-files", no_files},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
