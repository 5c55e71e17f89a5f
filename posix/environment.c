/* SPDX-License-Identifier: Apache-2.0 */
/* The variables OMP_*. Those about places and formats have no meaning here. */
#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "team.h"

struct environment bobbin_posix_environment;

static const char* text_of(const char* name) {
  const char* text = getenv(name);
  while (text != NULL && *text == ' ') ++text;
  return text != NULL && *text != '\0' ? text : NULL;
}

__attribute__((noreturn)) static void refuse(const char* name, const char* text) {
  fprintf(stderr, "libbobbin-posix: %s=%s is not a value for it\n", name, text);
  exit(EXIT_FAILURE);
}

/* Advances `*text` behind a number of at least `least`. */
static unsigned take_number(const char* name, const char** text, unsigned least) {
  char* end;
  errno = 0;
  const unsigned long value = strtoul(*text, &end, 10);
  if (end == *text || errno != 0 || value > INT_MAX || value < least) refuse(name, *text);
  *text = end;
  while (**text == ' ') ++*text;
  return (unsigned)value;
}

static unsigned number_in(const char* name, unsigned least, unsigned otherwise) {
  const char* text = text_of(name);
  if (text == NULL) return otherwise;
  const unsigned value = take_number(name, &text, least);
  if (*text != '\0') refuse(name, text);
  return value;
}

static int truth_in(const char* name) {
  const char* text = text_of(name);
  if (text == NULL || strncasecmp(text, "false", 5) == 0) return 0;
  if (strncasecmp(text, "true", 4) != 0) refuse(name, text);
  return 1;
}

static void read_threads(struct settings* settings) {
  settings->threads[0] = (unsigned)omp_get_num_procs();
  settings->max_active_levels = 1;
  const char* text = text_of("OMP_NUM_THREADS");
  for (unsigned level = 0; text != NULL && level < kMaxLevels - 1; ++level) {
    settings->threads[level] = take_number("OMP_NUM_THREADS", &text, 1);
    if (*text == '\0') break;
    if (*text++ != ',') refuse("OMP_NUM_THREADS", text - 1);
    settings->max_active_levels = INT_MAX;
  }
}

static void read_schedule(struct settings* settings) {
  static const char* const kNames[] = {"static", "dynamic", "guided", "auto"};
  settings->schedule = bobbin_omp_dynamic;
  settings->chunk = 1;
  const char* all = text_of("OMP_SCHEDULE");
  if (all == NULL) return;
  const char* modifier = strchr(all, ':');
  const char* text = modifier != NULL ? modifier + 1 : all;
  unsigned kind = bobbin_omp_static; /* their numbers have the order of the names */
  while (kind <= kAuto && strncasecmp(text, kNames[kind - 1], strlen(kNames[kind - 1])) != 0) {
    ++kind;
  }
  if (kind > kAuto) refuse("OMP_SCHEDULE", all);
  settings->schedule = kind;
  text += strlen(kNames[kind - 1]);
  while (*text == ' ') ++text;
  settings->chunk = *text == ',' ? (++text, take_number("OMP_SCHEDULE", &text, 1)) : 0;
  if (*text != '\0') refuse("OMP_SCHEDULE", all);
}

static size_t stack_size(void) {
  enum { kDefault = 8 << 20 };
  const char* text = text_of("OMP_STACKSIZE");
  if (text == NULL) return kDefault;
  size_t size = take_number("OMP_STACKSIZE", &text, 1);
  static const char kUnits[] = "bkmg";
  const char* unit = strchr(kUnits, *text != '\0' ? *text | ' ' : 'k');
  if (unit == NULL) refuse("OMP_STACKSIZE", text);
  size <<= 10 * (unit - kUnits);
  const size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN) + 16384;
  return size < least ? least : (size + 4095) / 4096 * 4096;
}

/* Before the program's own constructors. A value that cannot be read ends the program. */
__attribute__((constructor(101))) static void read_environment(void) {
  struct settings* settings = &bobbin_posix_environment.settings;
  read_threads(settings);
  read_schedule(settings);
  if (truth_in("OMP_NESTED")) settings->max_active_levels = INT_MAX;
  settings->max_active_levels = number_in("OMP_MAX_ACTIVE_LEVELS", 0, settings->max_active_levels);
  settings->dynamic = truth_in("OMP_DYNAMIC");
  bobbin_posix_environment.thread_limit = number_in("OMP_THREAD_LIMIT", 1, INT_MAX);
  bobbin_posix_environment.teams = (int)number_in("OMP_NUM_TEAMS", 1, 0);
  bobbin_posix_environment.teams_thread_limit = (int)number_in("OMP_TEAMS_THREAD_LIMIT", 1, 0);
  bobbin_posix_environment.cancellation = truth_in("OMP_CANCELLATION");
  const char* offload = text_of("OMP_TARGET_OFFLOAD");
  bobbin_posix_environment.offload_is_mandatory =
      offload != NULL && strcasecmp(offload, "mandatory") == 0;
  bobbin_posix_environment.max_task_priority = (int)number_in("OMP_MAX_TASK_PRIORITY", 0, 0);
  settings->default_device = (int)number_in("OMP_DEFAULT_DEVICE", 0, 0);
  bobbin_posix_environment.stack_size = stack_size();
}
