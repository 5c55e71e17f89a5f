// SPDX-License-Identifier: Apache-2.0
// The number of OpenCilk's workers.
#pragma once

#include "by_library.h"

// OpenCilk starts its workers before main begins, as many as the environment says at that time.
static void begin_with_workers(int threads) {
  char wanted[16];
  snprintf(wanted, sizeof wanted, "%d", threads);
  const char* given = getenv("CILK_NWORKERS");
  if (given != NULL && strcmp(given, wanted) == 0) return;
  setenv("CILK_NWORKERS", wanted, 1);
  execv("/proc/self/exe", command_line);
  require(0, "CILK_NWORKERS can be set");
}
