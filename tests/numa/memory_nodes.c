// SPDX-License-Identifier: Apache-2.0
// On which memory node lies what a thread uses: its stack, its thread-local data, and the blocks of
// the tasks that it makes (their firstprivate data are in the blocks)? Counts how often that is the
// node on which the thread runs. Built and run by scripts/test-numa.
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kRegions = 40, kTasks = 20, kBytes = 128 };

static int node_here(void) {
  unsigned cpu = 0, node = 0;
  syscall(SYS_getcpu, &cpu, &node, NULL);
  return (int)node;
}

static int node_of(const void* address) {
  void* page = (void*)address;
  int node = -1;
  syscall(SYS_move_pages, 0, 1UL, &page, NULL, &node, 0);
  return node;
}

static __thread char thread_local_data[64];

static struct count {
  const char* what;
  long near, all;
} stacks = {"stacks", 0, 0}, locals = {"thread-local data", 0, 0}, tasks = {"tasks", 0, 0};

static void add(struct count* count, int is_near) {
#pragma omp atomic
  count->near += is_near;
#pragma omp atomic
  count->all++;
}

static void work(double seconds) {
  const double begin = omp_get_wtime();
  while (omp_get_wtime() - begin < seconds) {
  }
}

static void make_tasks(void) {
  for (int i = 0; i < kTasks; i++) {
    char data[kBytes];
    memset(data, i, sizeof data);
    const int maker = node_here();
    // Large and deferred: it has a priority, so that it does not run at once.
#pragma omp task firstprivate(data, maker) priority(1)
    {
      if (data[kBytes - 1] == 0) work(1e-5);
      add(&tasks, node_of(data) == maker);
    }
  }
#pragma omp taskwait
}

int main(void) {
  for (int i = 0; i < kRegions; i++) {
#pragma omp parallel num_threads(16)
    {
      char local[64];
      memset(local, 1, sizeof local);
      thread_local_data[i % 64] = local[i % 64];
      work(1e-3);
#pragma omp barrier
      const int here = node_here();
      if (omp_get_thread_num() != 0) {
        add(&stacks, node_of(local) == here);
        add(&locals, node_of(thread_local_data) == here);
      }
      make_tasks();
    }
  }
  const struct count* const counts[] = {&stacks, &locals, &tasks};
  for (int i = 0; i < 3; i++) {
    printf("nodes: %s %ld %ld\n", counts[i]->what, counts[i]->near, counts[i]->all);
  }
  return 0;
}
