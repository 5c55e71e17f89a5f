/* SPDX-License-Identifier: Apache-2.0
 * The target entry points of OpenMP 4.0, as GCC 4.9 called them, and its teams. */
#include "check.h"
#include "gomp_direct.h"

static void region(void* data) {
  int** addresses = data;
  (*addresses[0])++;
  *addresses[1] += 10;
}

static void regions(void) {
  int a = 1, b = 2;
  void* addresses[] = {&a, &b};
  size_t sizes[] = {sizeof a, sizeof b};
  unsigned char kinds[] = {3, 3}; /* tofrom */
  for (int device = -1; device < 1; device++) {
    GOMP_target(device, region, NULL, 2, addresses, sizes, kinds);
    GOMP_target_data(device, NULL, 2, addresses, sizes, kinds);
    GOMP_target(device, region, NULL, 2, addresses, sizes, kinds);
    GOMP_target_update(device, NULL, 2, addresses, sizes, kinds);
    GOMP_target_end_data();
  }
  CHECK_EQ(a, 5);
  CHECK_EQ(b, 42);
}

static void inside(void* data) {
  GOMP_teams(4, 2);
  CHECK_EQ(omp_get_num_teams(), 1);
  CHECK_EQ(omp_get_team_num(), 0);
  region(data);
}

static void teams(void) {
  int a = 0, b = 0;
  void* addresses[] = {&a, &b};
  size_t sizes[] = {sizeof a, sizeof b};
  unsigned char kinds[] = {3, 3};
  GOMP_target(-1, inside, NULL, 2, addresses, sizes, kinds);
  CHECK_EQ(a, 1);
  CHECK_EQ(b, 10);
}

int main(void) {
  CHECK_BEGIN();
  RUN(regions);
  RUN(teams);
  return check_end();
}
