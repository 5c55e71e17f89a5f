/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by all conformance programs. It depends on nothing of the OpenMP runtime under test:
 * failures are counted with the compiler's atomics, so a broken critical cannot hide a failure.
 */
#pragma once

#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kMaxPrinted = 20 };

/* Sanitizers take many times as long, and so do the emulators with which other processors are
 * tested. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { kSlow = 0 };
#else
enum { kSlow = 1 };
#endif

static int check_failures;
static const char* volatile check_case = "start-up";

static inline void check_report(const char* file, int line, const char* what) {
  int nth = __atomic_add_fetch(&check_failures, 1, __ATOMIC_RELAXED);
  if (nth <= kMaxPrinted) {
    fprintf(stderr, "%s:%d: case %s, thread %d of %d: %s\n", file, line, check_case,
            omp_get_thread_num(), omp_get_num_threads(), what);
  }
}

static inline void check_report_values(const char* file, int line, const char* what, long long got,
                                       long long want) {
  char text[256];
  snprintf(text, sizeof text, "%s: got %lld, want %lld", what, got, want);
  check_report(file, line, text);
}

#define CHECK(condition)                                            \
  do {                                                              \
    if (!(condition)) check_report(__FILE__, __LINE__, #condition); \
  } while (0)

#define CHECK_EQ(actual, expected)                                                              \
  do {                                                                                          \
    long long check_got = (long long)(actual), check_want = (long long)(expected);              \
    if (check_got != check_want)                                                                \
      check_report_values(__FILE__, __LINE__, #actual " == " #expected, check_got, check_want); \
  } while (0)

/* The runner sends SIGTERM to a program that takes too long, so that the log names the case that
 * hung. */
static void check_late(int signal_number) {
  const char* name = check_case;
  char text[160] = "late in case ";
  size_t used = strlen(text), more = strlen(name);
  if (more > sizeof text - used - 1) more = sizeof text - used - 1;
  memcpy(text + used, name, more);
  text[used + more] = '\n';
  (void)!write(2, text, used + more + 1);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* The runner lists the cases that gaps.cmake excludes, separated by commas. */
static int check_skipped(const char* name) {
  const char* list = getenv("CHECK_SKIP");
  size_t length = strlen(name);
  while (list != NULL && *list != '\0') {
    size_t word = strcspn(list, ",");
    if (word == length && strncmp(list, name, length) == 0) return 1;
    list += word + (list[word] == ',');
  }
  return 0;
}

/* Runs one case; its name is part of every failure it reports. */
#define RUN(function)                          \
  do {                                         \
    check_case = #function;                    \
    if (!check_skipped(#function)) function(); \
  } while (0)

#define CHECK_BEGIN() signal(SIGTERM, check_late)

static inline int check_end(void) {
  int failures = __atomic_load_n(&check_failures, __ATOMIC_RELAXED);
  if (failures > kMaxPrinted) fprintf(stderr, "... %d failures in all\n", failures);
  return failures != 0;
}

#define PRAGMA(text) _Pragma(#text)

/* Counts across threads without any OpenMP construct. */
static inline int add_one(int* counter) { return __atomic_add_fetch(counter, 1, __ATOMIC_ACQ_REL); }
static inline int load(const int* value) { return __atomic_load_n(value, __ATOMIC_ACQUIRE); }
static inline void store(int* target, int value) {
  __atomic_store_n(target, value, __ATOMIC_RELEASE);
}

/* Lets other threads run meanwhile, if it is a scheduling point. */
static inline void spin_until(const int* flag) {
  while (!load(flag)) sched_yield();
}

static inline int min_int(int a, int b) { return a < b ? a : b; }
static inline int max_int(int a, int b) { return a > b ? a : b; }

/* The runner sets this for Bobbin. Then promises beyond the specification are checked, too. */
static inline int on_bobbin(void) { return getenv("BOBBIN_PROVIDER") != NULL; }

/* Returns how often to repeat an action that costs a team of this size once: fewer times for big
 * teams. */
static inline int repeats(int budget) { return max_int(2, budget / (omp_get_max_threads() + 4)); }
