// SPDX-License-Identifier: Apache-2.0
// How long a cache line takes from one processor to another: two pinned kernel threads hand a
// counter to and fro. On a virtual machine this changes when the host moves the processors, and
// with it every figure of a few cache misses, so the tools probe it beside each measurement.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "common.h"

static const char kUsage[] = "transfer [handovers=20000]\n";

static _Alignas(128) atomic_long token;
static long handovers;

static void play(int me, long from, long to) {
  for (long turn = from + me; turn < to; turn += 2) {
    while (atomic_load_explicit(&token, memory_order_acquire) != turn) continue;
    atomic_store_explicit(&token, turn + 1, memory_order_release);
  }
}

static void pin_to_nth(int n) {
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &all) && n-- == 0) CPU_SET(cpu, &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

static void* second(void* mask) {
  pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), mask);
  pin_to_nth(1);
  play(1, 0, handovers);
  return NULL;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  handovers = (long)arg_number(argc, argv, "handovers", 20000);
  handovers -= handovers % 2;
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  if (CPU_COUNT(&mask) < 2) {
    printf("check=skipped what=\"one processor\"\n");
    return 0;
  }
  pthread_t other;
  require(pthread_create(&other, NULL, second, &mask) == 0, "a second kernel thread");
  pin_to_nth(0);
  const long warm = 200;  // the other has come when these are done
  play(0, 0, warm);
  double start = seconds();
  play(0, warm, handovers);
  double took = seconds() - start;
  pthread_join(other, NULL);
  print_metric("transfer_ns", 1e9 * took / (double)(handovers - warm), "ns");
  passed();
  return 0;
}
