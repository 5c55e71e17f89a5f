// SPDX-License-Identifier: Apache-2.0
// Shared by all benchmark programs: arguments as name=value, a clock, work of a known length, and
// one line per figure for the tools to read.
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

// A task's clause. Tied or untied is decided in the source text, so each such program is built
// twice, the second time with UNTIED as NAME_untied.
#ifdef UNTIED
#define TIEDNESS untied
#else
#define TIEDNESS
#endif

// Every program begins with this call. It shows the usage on request, and refuses an argument that
// the usage does not name as [NAME=...].
static inline void begin(int argc, char** argv, const char* usage) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      fputs(usage, stdout);
      exit(0);
    }
    char bracketed[64];
    snprintf(bracketed, sizeof bracketed, "[%.*s=", (int)strcspn(argv[i], "="), argv[i]);
    if (strchr(argv[i], '=') != NULL && strstr(usage, bracketed) != NULL) continue;
    fprintf(stderr, "%s: %s: no such argument\n%s", argv[0], argv[i], usage);
    exit(2);
  }
}

// A command line has few arguments, so both look-ups are linear.
static inline const char* arg_text(int argc, char** argv, const char* name, const char* otherwise) {
  size_t length = strlen(name);
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') return argv[i] + length + 1;
  return otherwise;
}

static inline double arg_number(int argc, char** argv, const char* name, double otherwise) {
  const char* text = arg_text(argc, argv, name, NULL);
  if (text == NULL) return otherwise;
  char* end;
  double value = strtod(text, &end);
  if (end == text || *end != '\0') {
    fprintf(stderr, "%s: %s=%s: a number is wanted\n", argv[0], name, text);
    exit(2);
  }
  return value;
}

static inline double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// CPU time of the whole process, all its threads.
static inline double cpu_seconds(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

// On the clock of seconds().
static inline void sleep_until(double when) {
  struct timespec t = {(time_t)when, 0};
  t.tv_nsec = (long)((when - (double)t.tv_sec) * 1e9);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

// About one cycle per turn, without memory accesses: a task's body of a chosen length.
static inline void work_turns(long turns) {
  for (long i = 0; i < turns; i++) __asm__ volatile("");
}

// The number of turns that take one microsecond. It takes the fastest of many short samples, so
// that a disturbance during calibration cannot shorten the work.
static inline double turns_per_us(void) {
  const long turns = 200000;
  double best = 1e9;
  for (int i = 0; i < 40; i++) {
    double start = seconds();
    work_turns(turns);
    double took = seconds() - start;
    if (took < best) best = took;
  }
  return (double)turns / (best * 1e6);
}

static inline void print_metric(const char* name, double value, const char* unit) {
  printf("metric=%s value=%.6g unit=%s\n", name, value, unit);
}

// The same with further words `key=value`, which distinguish figures of one name.
__attribute__((format(printf, 4, 5))) static inline void print_metric_of(const char* name,
                                                                         double value,
                                                                         const char* unit,
                                                                         const char* keys, ...) {
  printf("metric=%s value=%.6g unit=%s ", name, value, unit);
  va_list arguments;
  va_start(arguments, keys);
  vprintf(keys, arguments);
  va_end(arguments);
  printf("\n");
}

static inline void require(int holds, const char* what) {
  if (holds) return;
  printf("check=failed what=\"%s\"\n", what);
  fflush(stdout);
  exit(1);
}

// The peak memory of this process. getrusage cannot be used: its figure outlives exec, and so shows
// the memory of the process that started the program.
static inline double peak_memory_mb(void) {
  char line[128];
  double kilobytes = 0;
  FILE* status = fopen("/proc/self/status", "r");
  if (status == NULL) return 0;
  while (fgets(line, sizeof line, status) != NULL)
    if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1) break;
  fclose(status);
  return kilobytes / 1024;
}

static inline void passed(void) {
  print_metric("rss_mb", peak_memory_mb(), "MB");
  printf("check=ok\n");
}
