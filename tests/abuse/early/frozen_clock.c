// SPDX-License-Identifier: Apache-2.0
// A program that sees a clock that stands still, as libfaketime provides. Here the program itself
// defines the function, and so every library uses it.
#include "../common/abuse.h"

int clock_gettime(clockid_t clock, struct timespec* now) {
  (void)clock;
  now->tv_sec = 1000;
  now->tv_nsec = 0;
  return 0;
}

static void regions(void) {
  for (int i = 0; i < 100; i++) all_regions();
  CHECK(now_s() == 1000);
}

int main(int argc, char** argv) {
  static const struct abuse_case cases[] = {
      {"regions", regions},
      {NULL, NULL},
  };
  return run_case(cases, argc, argv);
}
