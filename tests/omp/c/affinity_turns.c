// SPDX-License-Identifier: Apache-2.0
// KMP_AFFINITY: more threads than places take them by turns.
#include "check.h"

static void by_turns(void) {
  const int places = omp_get_num_places();
  CHECK(places > 0);
#pragma omp parallel num_threads(3 * places)
  CHECK_EQ(omp_get_place_num(), omp_get_thread_num() % places);
}

int main(void) {
  CHECK_BEGIN();
  RUN(by_turns);
  return check_end();
}
