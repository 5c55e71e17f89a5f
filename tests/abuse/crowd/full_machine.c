// SPDX-License-Identifier: Apache-2.0
// Other processes keep every processor busy: the thread that opens a short region runs it alone.
#include "../common/abuse.h"

enum { kMostSpinners = 256 };

// The number of runnable kernel threads on the machine; 0: unknown.
static long runnable(void) {
  char line[128] = "";
  FILE* file = fopen("/proc/loadavg", "r");
  if (file == NULL) return 0;
  const char* const averages = fgets(line, sizeof line, file);
  fclose(file);
  const char* slash = averages != NULL ? strchr(averages, '/') : NULL;
  while (slash != NULL && slash > line && slash[-1] != ' ') slash--;
  return slash != NULL ? strtol(slash, NULL, 10) : 0;
}

static void work(double us) {
  const double end = now_s() + 1e-6 * us;
  while (now_s() < end) {
  }
}

// Returns whether more than a fifth of the short regions opened within `seconds` were helped.
static int helped_in(double seconds) {
  long regions = 0, helped = 0;
  for (const double end = now_s() + seconds; now_s() < end; regions++) {
    pid_t carriers[2] = {0, 0};
#pragma omp parallel num_threads(2)
    {
      carriers[omp_get_thread_num()] = (pid_t)syscall(SYS_gettid);
      work(20);
    }
    if (carriers[1] != 0 && carriers[1] != carriers[0]) helped++;
  }
  printf("%ld of %ld regions were helped\n", helped, regions);
  return helped * 5 >= regions;
}

static void short_regions(void) {
  pid_t spinners[kMostSpinners];
  const int processors = omp_get_num_procs();
  const char* provider = getenv("BOBBIN_PROVIDER");
  if (provider != NULL && strcmp(provider, "kernel") == 0) exit(kSkip);
  // On a part of a machine a process cannot know which others may use it.
  if (processors < 2 || processors > kMostSpinners) exit(kSkip);
  if (processors != sysconf(_SC_NPROCESSORS_ONLN)) exit(kSkip);

  const pid_t parent = getpid();
  for (int i = 0; i < processors; i++) {
    spinners[i] = fork();
    CHECK(spinners[i] >= 0);
    if (spinners[i] != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == parent) {
    }
    _exit(0);
  }
  work(20000);
  const int all_there = runnable() > processors;

  // Several looks must agree before the processors count as taken, and the looking thread may
  // itself have to wait for a processor. So it is enough that at some time the regions get no help
  // any more, and that this remains so.
  int left_alone = 0;
  for (const double end = now_s() + 30; left_alone < 3 && now_s() < end;)
    left_alone = helped_in(0.1) ? 0 : left_alone + 1;

  for (int i = 0; i < processors; i++) {
    kill(spinners[i], SIGKILL);
    waitpid(spinners[i], NULL, 0);
  }
  if (!all_there) exit(kSkip);
  CHECK(left_alone == 3);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"short-regions", short_regions},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
