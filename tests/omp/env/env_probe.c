/* SPDX-License-Identifier: Apache-2.0
 * Prints how the environment configured the runtime, one name=value per line, for env_cases.py. */
#include <alloca.h>

#include "check.h"

static void print_schedule(void) {
  static const char* const kNames[] = {"?", "static", "dynamic", "guided", "auto"};
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  unsigned plain = (unsigned)kind & 0x7fffffffU;
  printf("schedule=%s\n", kNames[plain < 5 ? plain : 0]);
  printf("chunk=%d\n", chunk);
}

/* The thread of each iteration, as digits: exact for static, pieces of the chunk's size for
 * dynamic. */
static void print_runtime_loop(void) {
  enum { kCount = 24 };
  char owners[kCount + 1] = {0};
  int team = omp_get_max_threads(), pieces_whole = 1, chunk;
  omp_sched_t kind;
  omp_get_schedule(&kind, &chunk);
  if (team > 9) team = 9;
#pragma omp parallel for schedule(runtime) num_threads(team)
  for (int i = 0; i < kCount; i++) owners[i] = (char)('0' + omp_get_thread_num());
  for (int i = 1; i < kCount && chunk > 0; i++)
    if (i % chunk != 0 && owners[i] != owners[i - 1]) pieces_whole = 0;
  printf("owners=%s\n", owners);
  printf("pieces_whole=%d\n", pieces_whole);
}

static void print_teams(void) {
  int sizes[4] = {0}, total = 0;
#pragma omp parallel
  {
#pragma omp single
    sizes[0] = omp_get_num_threads();
#pragma omp parallel
    {
#pragma omp single
      if (omp_get_ancestor_thread_num(1) == 0) sizes[1] = omp_get_num_threads();
#pragma omp parallel
      {
        add_one(&total);
#pragma omp single
        if (omp_get_ancestor_thread_num(1) == 0 && omp_get_ancestor_thread_num(2) == 0)
          sizes[2] = omp_get_num_threads();
      }
    }
  }
  printf("sizes=%d,%d,%d\n", sizes[0], sizes[1], sizes[2]);
  printf("leaves=%d\n", total);
}

static int team_size(void) {
  int size = 0;
#pragma omp parallel num_threads(8)
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

/* The largest team size in constructs that make contention groups. */
static void print_groups(void) {
  int league = 0, plain_league = 0, target = 0, target_league = 0;
  int plain_target_league = 0;
#pragma omp teams num_teams(1) thread_limit(6) shared(league)
  league = team_size();
#pragma omp teams num_teams(1) shared(plain_league)
  plain_league = team_size();
  int host = omp_get_initial_device();
#pragma omp target thread_limit(6) map(tofrom : target) device(host)
  target = team_size();
#pragma omp target teams num_teams(1) thread_limit(6) map(tofrom : target_league) device(host)
  target_league = team_size();
#pragma omp target teams num_teams(1) map(tofrom : plain_target_league) device(host)
  plain_target_league = team_size();
  printf("groups=%d,%d,%d,%d,%d\n", league, plain_league, target, target_league,
         plain_target_league);
}

/* Whether every thread except the first has as much stack as the environment promised. */
static void print_stack(const char* kilobytes) {
  int n = omp_get_max_threads(), touched = 0;
  size_t size = (size_t)atol(kilobytes) * 1024;
#pragma omp parallel shared(touched)
  {
    if (omp_get_thread_num() > 0) {
      volatile char* block = alloca(size);
      for (size_t at = size; at >= 4096; at -= 4096) block[at - 1] = 1;
      add_one(&touched);
    }
  }
  printf("stacks=%d\n", touched == n - 1);
}

int main(int count, char** arguments) {
  if (count > 1) {
    print_stack(arguments[1]);
    return 0;
  }
  printf("max_threads=%d\n", omp_get_max_threads());
  printf("thread_limit=%d\n", omp_get_thread_limit());
  printf("max_active_levels=%d\n", omp_get_max_active_levels());
  printf("dynamic=%d\n", omp_get_dynamic() != 0);
  printf("cancellation=%d\n", omp_get_cancellation() != 0);
  printf("proc_bind=%d\n", (int)omp_get_proc_bind());
  printf("num_places=%d\n", omp_get_num_places());
  printf("max_task_priority=%d\n", omp_get_max_task_priority());
  printf("default_device=%d\n", omp_get_default_device());
  printf("default_allocator=%ld\n", (long)omp_get_default_allocator());
  printf("max_teams=%d\n", omp_get_max_teams());
  printf("teams_thread_limit=%d\n", omp_get_teams_thread_limit());
  print_schedule();
  print_runtime_loop();
  print_teams();
  print_groups();
  return 0;
}
