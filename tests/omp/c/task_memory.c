// SPDX-License-Identifier: Apache-2.0
// The memory that queued tasks take. Run with BOBBIN_TASK_MEMORY=512K, which is 1,024 small tasks;
// the runtime looks once in so many.
#include <sys/resource.h>

#include "check.h"

enum { kBound = 1024, kFew = kSlow ? 10000 : 100000, kMostTasks = 8 * kBound };

static void work(int turns) {
  for (volatile int i = 0; i < turns; i++) {
  }
}

/* So many tasks are made one after the other, while all threads except the maker are busy and
 * nothing keeps the tasks from running. No more than these existed at a time. */
static void few_at_a_time(void (*make_one)(int i, int* ended), int tasks, int few) {
  int ended = 0, most = 0, made_all = 0;
#pragma omp parallel shared(ended, most, made_all)
  if (omp_get_num_threads() > 1) {
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < tasks; i++) {
        make_one(i, &ended);
        most = max_int(most, i + 1 - load(&ended));
      }
      store(&made_all, 1);
    }
    spin_until(&made_all);
  }
  if (made_all) {
    CHECK_EQ(ended, tasks);
    CHECK(most <= few);
  }
}

static int data[kMostTasks];

static void make_small(int i, int* ended) {
#pragma omp task depend(inout : data[i]) firstprivate(i, ended)
  {
    work(5000);
    data[i]++;
    add_one(ended);
  }
}

/* The maker of tasks with dependences looks ahead up to the bound. */
static void bound(void) { few_at_a_time(make_small, kMostTasks, 2 * kBound); }

enum { kLarge = 200, kFewLarge = 32, kAddresses = 5000 };
typedef struct {
  char bytes[64 * 1024];
} Tile;

static void make_large(int i, int* ended) {
  static Tile tile;
#pragma omp task depend(inout : data[i]) firstprivate(tile, ended)
  {
    work(5000 + tile.bytes[0]);
    add_one(ended);
  }
}

/* Eight of these tasks reach the bound by their data. */
static void large_data(void) { few_at_a_time(make_large, kLarge, kFewLarge); }

static void make_dependent(int i, int* ended) {
  (void)i;
#pragma omp task depend(iterator(j = 0 : kAddresses), in : data[j]) firstprivate(ended)
  {
    work(5000);
    add_one(ended);
  }
}

/* A few tasks reach it by their dependences. */
static void many_dependences(void) { few_at_a_time(make_dependent, kLarge, kFewLarge); }

static long kilobytes_at_most(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static void check_little_more_than(long before) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(kilobytes_at_most() - before < 16 * 1024);
#else
  (void)before;
#endif
}

static long make(int tasks) {
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < tasks; i++) {
#pragma omp task shared(sum) firstprivate(i)
    {
      if (i % 64 == 0) work(100);
#pragma omp atomic
      sum += i;
    }
  }
  return sum;
}

/* Descriptors that other threads have freed return to a maker that makes more and more tasks. */
static void one_maker(void) {
  const int many = 30 * kFew;
  CHECK_EQ(make(kFew), (long)kFew * (kFew - 1) / 2);
  const long before = kilobytes_at_most();
  CHECK_EQ(make(many), (long)many * (many - 1) / 2);
  check_little_more_than(before);
}

static int steps_begun;

/* One of the existing tasks runs, and one is queued. */
static void step(int left) {
  add_one(&steps_begun);
  if (left == 0) return;
#pragma omp task firstprivate(left)
  step(left - 1);
}

/* The next task begins before this one has ended. */
static void overlapping_step(int left) {
  const int mine = add_one(&steps_begun);
  if (left == 0) return;
#pragma omp task firstprivate(left)
  overlapping_step(left - 1);
  for (int turns = 0; turns < 100 && load(&steps_begun) == mine; turns++) sched_yield();
}

static void prior_step(int left) {
  add_one(&steps_begun);
  if (left == 0) return;
#pragma omp task firstprivate(left) priority(1)
  prior_step(left - 1);
}

/* Tasks that each make the next one, while earlier ones are forgotten. Otherwise each would take
 * 128 bytes and more, and looks at them would take as long as the number of all earlier tasks. All
 * threads except the first are where a task has to descend from theirs. In a team of one all tasks
 * would be nested within each other. */
static void chain(void (*first)(int), int steps) {
  const long before = kilobytes_at_most();
  int ended = 0, team = 1;
  steps_begun = 0;
#pragma omp parallel shared(ended, team)
  {
    if (omp_get_thread_num() == 0) team = omp_get_num_threads();
#pragma omp taskgroup
    if (omp_get_thread_num() == 0 && team > 1) {
#pragma omp taskgroup
      first(steps);
      __atomic_store_n(&ended, 1, __ATOMIC_RELEASE);
    }
  }
  if (team == 1) return;
  CHECK_EQ(ended, 1);
  CHECK_EQ(steps_begun, steps + 1);
  check_little_more_than(before);
}

static void chains(void) {
  chain(step, 3 * kFew);
  chain(overlapping_step, 2 * kFew);
  chain(prior_step, 3 * kFew);
}

int main(void) {
  CHECK_BEGIN();
  RUN(bound);
  RUN(large_data);
  RUN(many_dependences);
  RUN(one_maker);
  RUN(chains);
  return check_end();
}
