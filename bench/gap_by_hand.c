// SPDX-License-Identifier: Apache-2.0
// The lowest possible cost of the regions of `gap` on this machine: two kernel threads, no OpenMP,
// and the partner knows the schedule. The partner has half of each region. If the partner has not
// begun its half when the first thread has finished, the first thread does both halves.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common.h"

static const char kUsage[] =
    "gap_by_hand [period=1000] [work=20] [seconds=1] [idle=sleep|compute]\n"
    "            [partner=rise|spin|futex|none] [rise=50]\n"
    "Every `period` us two threads share `work` us of computing, as in gap. The partner sleeps\n"
    "until `rise` us before a region is due and spins from there on; or spins all the time; or is\n"
    "woken for each by a futex; or there is none.\n";

enum partner { kRise, kSpin, kFutex, kNone };

static enum partner partner;
static long regions;
static long half_turns;
static double rise;

// Written by the first thread: when the next region is due and, once it has begun, its number.
// Until then the partner sleeps or spins.
static struct {
  _Alignas(128) _Atomic double due;
  _Alignas(128) atomic_uint begun;
} first;
// The last region whose second half has been taken, and the last region that the partner has ended.
static _Alignas(128) atomic_uint taken;
static _Alignas(128) atomic_uint ended;

static void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

static int take_second_half(unsigned region) {
  unsigned before = region - 1;
  return atomic_compare_exchange_strong(&taken, &before, region);
}

static void* be_partner(void* unused) {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  for (unsigned seen = 0; seen < regions;) {
    if (partner == kRise) sleep_until(atomic_load(&first.due) - rise);
    while (atomic_load_explicit(&first.begun, memory_order_acquire) == seen) {
      if (partner == kFutex) {
        syscall(SYS_futex, &first.begun, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
      } else {
        relax();
      }
    }
    seen = atomic_load(&first.begun);
    if (!take_second_half(seen)) continue;
    work_turns(half_turns);
    atomic_store_explicit(&ended, seen, memory_order_release);
  }
  return unused;
}

// Returns whether the partner did its half.
static int region(unsigned number, double next_due, double* own) {
  double enter = seconds();
  atomic_store(&first.due, next_due);
  atomic_store(&first.begun, number);
  if (partner == kFutex) {
    syscall(SYS_futex, &first.begun, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  }
  work_turns(half_turns);
  *own += seconds() - enter;
  if (take_second_half(number)) {
    work_turns(half_turns);
    return 0;
  }
  while (atomic_load_explicit(&ended, memory_order_acquire) != number) relax();
  return 1;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  double period = 1e-6 * arg_number(argc, argv, "period", 1000);
  double work = arg_number(argc, argv, "work", 20);
  double wanted = arg_number(argc, argv, "seconds", 1);
  int compute = strcmp(arg_text(argc, argv, "idle", "sleep"), "compute") == 0;
  const char* way = arg_text(argc, argv, "partner", "rise");
  partner = strcmp(way, "spin") == 0    ? kSpin
            : strcmp(way, "futex") == 0 ? kFutex
            : strcmp(way, "none") == 0  ? kNone
                                        : kRise;
  rise = 1e-6 * arg_number(argc, argv, "rise", 50);
  regions = (long)(wanted / period);
  double rate = turns_per_us();
  half_turns = (long)(work * rate / 2);
  long gap_turns = (long)((1e6 * period - work) * rate);
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);

  double inside = 0;
  double own = 0;
  long helped = 0;
  double start = seconds();
  atomic_store(&first.due, start + period);
  pthread_t thread;
  if (partner != kNone) require(pthread_create(&thread, NULL, be_partner, NULL) == 0, "a partner");
  double cpu = cpu_seconds();
  for (unsigned r = 1; r <= regions; r++) {
    if (compute)
      work_turns(gap_turns);
    else
      sleep_until(start + r * period);
    double enter = seconds();
    // Computing resumes at the end of a region, which takes about half of the region's work.
    double next = compute ? enter + period - 0.5e-6 * work : start + (r + 1) * period;
    helped += region(r, next, &own);
    inside += seconds() - enter;
  }
  double took = seconds() - start;
  cpu = cpu_seconds() - cpu;
  if (partner != kNone) pthread_join(thread, NULL);
  print_metric("region_us", 1e6 * inside / (double)regions, "us");
  print_metric("cpu_us", 1e6 * cpu / (double)regions, "us");
  print_metric("own_half_us", 1e6 * own / (double)regions, "us");
  print_metric("helped", (double)helped / (double)regions, "share");
  print_metric("period_us", 1e6 * took / (double)regions, "us");
  passed();
  return 0;
}
