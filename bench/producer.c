// SPDX-License-Identifier: Apache-2.0
// One thread, or some threads, make all the tasks. The others can only take them.
#include <omp.h>

#include "common.h"

static const char kUsage[] =
    "producer [tasks=1600000] [turns=64] [producers=1] [maxload=0]\n"
    "producers  threads that make tasks, or half: half of all threads\n"
    "maxload    if not 0, a task's length is random, up to so many turns\n";

enum { kMostThreads = 1024, kLine = 16 };

static long counts[kMostThreads * kLine];

// The length of a task depends only on its number.
static long random_turns(long task, long maxload) {
  unsigned long x = (unsigned long)task * 0x9e3779b97f4a7c15u;
  return (long)((x >> 32) % (unsigned long)(maxload + 1));
}

static void make_tasks(long from, long to, long turns, long maxload) {
  for (long i = from; i < to; i++) {
    long length = maxload > 0 ? random_turns(i, maxload) : turns;
#pragma omp task firstprivate(length)
    {
      work_turns(length);
      counts[omp_get_thread_num() * kLine]++;
    }
  }
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  long tasks = (long)arg_number(argc, argv, "tasks", 1600000);
  long turns = (long)arg_number(argc, argv, "turns", 64);
  int threads = omp_get_max_threads();
  int half = strcmp(arg_text(argc, argv, "producers", ""), "half") == 0;
  long producers = half ? (threads + 1) / 2 : (long)arg_number(argc, argv, "producers", 1);
  long maxload = (long)arg_number(argc, argv, "maxload", 0);
  require(threads <= kMostThreads, "at most 1024 threads");
  if (producers > threads) producers = threads;
  require(producers >= 1 && maxload >= 0, "at least one producer");

  double start = seconds();
#pragma omp parallel
  {
    long me = omp_get_thread_num();
    if (me < producers)
      make_tasks(tasks * me / producers, tasks * (me + 1) / producers, turns, maxload);
  }
  double took = seconds() - start;
  long sum = 0;
  for (int i = 0; i < kMostThreads; i++) sum += counts[i * kLine];
  require(sum == tasks, "every task ran once");
  print_metric("time_ms", 1e3 * took, "ms");
  print_metric("rate_mtasks", 1e-6 * (double)tasks / took, "Mtasks/s");
  print_metric("producers", (double)producers, "threads");
  passed();
  return 0;
}
