// SPDX-License-Identifier: Apache-2.0
// How much memory queued tasks take. Run with BOBBIN_TASK_MEMORY=512K, which is 1,024 tasks,
// looked at once in so many.
#include <sys/resource.h>

#include "check.h"

enum { kBound = 1024, kFew = kSlow ? 10000 : 100000 };

static void work(int turns) {
  for (volatile int i = 0; i < turns; i++) {
  }
}

/* The maker of tasks with dependences looks ahead as far as the bound, though all others are busy
 * and nothing keeps the tasks from running. */
static void bound(void) {
  enum { kTasks = 8 * kBound };
  static int data[kTasks];
  int ended = 0, most = 0, made_all = 0;
#pragma omp parallel shared(ended, most, made_all)
  if (omp_get_num_threads() > 1) {
    if (omp_get_thread_num() == 0) {
      for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : data[i]) shared(ended) firstprivate(i)
        {
          work(5000);
          data[i]++;
          add_one(&ended);
        }
        const int queued = i + 1 - load(&ended);
        if (queued > most) most = queued;
      }
      __atomic_store_n(&made_all, 1, __ATOMIC_RELEASE);
    }
    while (!load(&made_all)) sched_yield();
  }
  if (made_all) {
    CHECK_EQ(ended, kTasks);
    CHECK(most <= 2 * kBound);
  }
}

static long kilobytes_at_most(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
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

/* Descriptors that others have freed come back to a maker that makes ever more. */
static void one_maker(void) {
  const int many = 30 * kFew;
  CHECK_EQ(make(kFew), (long)kFew * (kFew - 1) / 2);
  const long before = kilobytes_at_most();
  CHECK_EQ(make(many), (long)many * (many - 1) / 2);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(kilobytes_at_most() - before < 16 * 1024);
#else
  (void)before;
#endif
}

int main(void) {
  CHECK_BEGIN();
  RUN(bound);
  RUN(one_maker);
  return check_end();
}
