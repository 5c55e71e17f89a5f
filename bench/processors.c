// SPDX-License-Identifier: Apache-2.0
// The relation between two processors: how long a cache line takes from one to the other, and how
// much work both together do compared with one alone. The ratio is 2 for separate cores and hardly
// more than 1 for the hardware threads of one core. On a virtual machine both figures change when
// the host moves the processors, and so does every figure that depends on a few cache misses and
// every speedup. So the tools measure both figures beside each measurement.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#include "common.h"
#include "statistics.h"

static const char kUsage[] = "processors [handovers=20000] [slices=15]\n";

static void pin_to_nth(int n, const cpu_set_t* all) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, all) && n-- == 0) CPU_SET(cpu, &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

// One word passed back and forth.
static _Alignas(128) atomic_long token;
static long handovers;
static const long kWarm = 200;  // the other thread has arrived when these are done

static void play(int me, long from, long to) {
  for (long turn = from + me; turn < to; turn += 2) {
    while (atomic_load_explicit(&token, memory_order_acquire) != turn) continue;
    atomic_store_explicit(&token, turn + 1, memory_order_release);
  }
}

static double transfer(void) {
  play(0, 0, kWarm);
  double start = seconds();
  play(0, kWarm, handovers);
  return (seconds() - start) / (double)(handovers - kWarm);
}

// Slices of the same work, alternately by both threads at once and by one alone. Four chains of
// arithmetic keep the units of a core busy from one hardware thread, so a second hardware thread of
// the core finds little left.
enum { kMostSlices = 1000 };
static long slices;
static double other_took[kMostSlices];
static pthread_barrier_t begins, ends;
static atomic_long met;

static double slice(void) {
  uint32_t chains[4] = {1, 2, 3, 4};
  double start = seconds();
  for (int i = 0; i < 50000; i++) {
    for (int k = 0; k < 4; k++) {
      chains[k] ^= chains[k] << 13;
      chains[k] ^= chains[k] >> 17;
      chains[k] ^= chains[k] << 5;
    }
    __asm__ volatile("" : "+r"(chains[0]), "+r"(chains[1]), "+r"(chains[2]), "+r"(chains[3]));
  }
  return seconds() - start;
}

static void slice_at_once(long round, double* took) {
  pthread_barrier_wait(&begins);
  atomic_fetch_add(&met, 1);  // a thread that slept in the barrier arrives later
  while (atomic_load(&met) < 2 * (round + 1)) continue;
  *took = slice();
  pthread_barrier_wait(&ends);
}

static double together(void) {
  double times[kMostSlices];
  for (long i = 0; i < slices; i++) {
    double own;
    slice_at_once(i, &own);
    double alone = slice();  // the other thread sleeps
    times[i] = alone / own + alone / other_took[i];
  }
  return summarise(times, (int)slices).median;
}

static void* second(void* mask) {
  pin_to_nth(1, mask);
  play(1, 0, handovers);
  for (long i = 0; i < slices; i++) slice_at_once(i, &other_took[i]);
  return NULL;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  handovers = (long)arg_number(argc, argv, "handovers", 20000);
  handovers -= handovers % 2;
  slices = (long)arg_number(argc, argv, "slices", 15);
  require(handovers > kWarm, "more than 200 handovers");
  require(slices >= 1 && slices <= kMostSlices, "1 to 1000 slices");
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  if (CPU_COUNT(&mask) < 2) {
    printf("check=skipped what=\"one processor\"\n");
    return 0;
  }
  pthread_barrier_init(&begins, NULL, 2);
  pthread_barrier_init(&ends, NULL, 2);
  pthread_t other;
  require(pthread_create(&other, NULL, second, &mask) == 0, "a second kernel thread");
  pin_to_nth(0, &mask);
  print_metric("transfer_ns", 1e9 * transfer(), "ns");
  print_metric("together", together(), "x");
  pthread_join(other, NULL);
  passed();
  return 0;
}
