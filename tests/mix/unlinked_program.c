/* SPDX-License-Identifier: Apache-2.0
 * Nestable locks in libraries that were linked against no OpenMP library. */
#include "check.h"

extern int nested_by_gcc(int hinted), nested_by_clang(int hinted);

static void nest_locks(void) {
#pragma omp parallel
  for (int hinted = 0; hinted < 2; hinted++) {
    CHECK_EQ(nested_by_gcc(hinted), 2);
    CHECK_EQ(nested_by_clang(hinted), 2);
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(nest_locks);
  return check_end();
}
