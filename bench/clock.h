// SPDX-License-Identifier: Apache-2.0
// Time stamps. They come from the processor's own counter where it runs at one rate on all
// processors, else from the system's clock.
#pragma once

#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

enum clock_kind { kCounter, kSystemClock };

static enum clock_kind clock_kind;
static double ticks_per_ns = 1;

// Waits for all earlier instructions, so that a stamp is not taken too early.
static inline int64_t stamp(void) {
  if (clock_kind == kCounter) {
#if defined(__x86_64__)
    unsigned processor;
    int64_t now = (int64_t)__rdtscp(&processor);
    _mm_lfence();
    return now;
#elif defined(__aarch64__)
    int64_t now;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(now)::"memory");
    return now;
#endif
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int counter_is_steady(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  // AMD64 Architecture Programmer's Manual, volume 3, E.4.6: TscInvariant. Intel uses the same bit.
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8) != 0;
#elif defined(__aarch64__)
  return 1;
#else
  return 0;
#endif
}

// The source of the stamps, as text for people.
static inline const char* choose_clock(void) {
  clock_kind = kSystemClock;
  ticks_per_ns = 1;
  if (!counter_is_steady()) return "clock_gettime";
  int64_t system = stamp();
  clock_kind = kCounter;
  int64_t counter = stamp();
  struct timespec wait = {0, 20000000};
  nanosleep(&wait, NULL);
  int64_t counter_end = stamp();
  clock_kind = kSystemClock;
  int64_t system_end = stamp();
  clock_kind = kCounter;
  ticks_per_ns = (double)(counter_end - counter) / (double)(system_end - system);
#if defined(__x86_64__)
  return "tsc";
#else
  return "cntvct";
#endif
}
