/* SPDX-License-Identifier: Apache-2.0
 * parallel: size of the team, numbering, if, data-sharing, proc_bind. */
#include "check.h"

enum { kMost = 512 };

/* Each thread of a region has its own number in 0..n-1, and all numbers occur. */
static void check_team(int asked) {
  static int seen[kMost];
  memset(seen, 0, sizeof seen);
  int size = -1;
#pragma omp parallel num_threads(asked) shared(size)
  {
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    CHECK(me >= 0 && me < n);
    CHECK_EQ(omp_get_level(), 1);
    CHECK_EQ(omp_get_active_level(), n > 1);
    CHECK_EQ(omp_in_parallel(), n > 1);
    if (me >= 0 && me < kMost) add_one(&seen[me]);
    if (me == 0) size = n;
  }
  CHECK_EQ(size, asked);
  for (int i = 0; i < kMost; i++) CHECK_EQ(seen[i], i < size);
}

static void numbering(void) {
  int n = omp_get_max_threads();
  for (int i = 0; i < 5; i++) check_team(n);
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_get_level(), 0);
  CHECK(!omp_in_parallel());
}

static void changing_sizes(void) {
  int n = omp_get_max_threads();
  for (int size = 1; size <= min_int(n, 8) + 2; size++) check_team(size);
  for (int size = n + 3; size > 0; size = size / 2) check_team(size);
  for (int i = 0; i < 6; i++) check_team(i % 2 ? 1 : n + i);
}

static void default_size(void) {
  int n = omp_get_max_threads(), size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  CHECK_EQ(size, n);
  omp_set_num_threads(n + 1);
  CHECK_EQ(omp_get_max_threads(), n + 1);
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  CHECK_EQ(size, n + 1);
  omp_set_num_threads(n);
}

static void if_clause(void) {
  int n = omp_get_max_threads();
  for (int yes = 0; yes < 2; yes++) {
    int count = 0;
#pragma omp parallel if (yes)
    {
      add_one(&count);
      CHECK_EQ(omp_get_num_threads(), yes ? n : 1);
      CHECK_EQ(omp_get_level(), 1);
    }
    CHECK_EQ(count, yes ? n : 1);
    count = 0;
#pragma omp parallel if (parallel : yes) num_threads(3)
    add_one(&count);
    CHECK_EQ(count, yes ? 3 : 1);
  }
  int count = 0;
#pragma omp parallel if (0)
  add_one(&count);
  CHECK_EQ(count, 1);
}

/* A program must not request it. The team must not be smaller than the region assumes. */
static void negative_number(void) {
  if (!on_bobbin()) return;
  int wanted = -1, count = 0;
#pragma omp parallel num_threads(40)
  add_one(&count);
  CHECK_EQ(count, 40);
  count = 0;
#pragma omp parallel num_threads(wanted)
  {
    CHECK_EQ(omp_get_num_threads(), omp_get_max_threads());
    add_one(&count);
  }
  CHECK_EQ(count, omp_get_max_threads());
}

static void data_sharing(void) {
  int shared_one = 0, first = 42, mine = 7;
  int array[5] = {1, 2, 3, 4, 5};
  double* pointer = malloc(sizeof *pointer);
  *pointer = 2.5;
#pragma omp parallel default(none) shared(shared_one) \
    firstprivate(first, array, pointer) private(mine)
  {
    CHECK_EQ(first, 42);
    CHECK_EQ(array[4], 5);
    CHECK(*pointer == 2.5);
    mine = omp_get_thread_num();
    first += mine;
    array[omp_get_thread_num() % 5] = -1;
    pointer = NULL;
#pragma omp barrier
    CHECK_EQ(first, 42 + omp_get_thread_num());
    CHECK_EQ(mine, omp_get_thread_num());
    add_one(&shared_one);
  }
  CHECK_EQ(shared_one, omp_get_max_threads());
  CHECK_EQ(first, 42);
  CHECK_EQ(mine, 7);
  CHECK_EQ(array[0], 1);
  CHECK(*pointer == 2.5);
  free(pointer);
}

/* The next region, and the code after the region, see what a region wrote. */
static void implied_flushes(void) {
  int n = omp_get_max_threads();
  int* values = calloc(n, sizeof *values);
  int rounds = repeats(1000);
  for (int round = 1; round <= rounds; round++) {
#pragma omp parallel
    {
      int left = (omp_get_thread_num() + n - 1) % n;
      CHECK_EQ(values[omp_get_thread_num()], round - 1);
#pragma omp barrier
      values[left] = round;
    }
    for (int i = 0; i < n; i++) CHECK_EQ(values[i], round);
  }
  free(values);
}

static void binding(void) {
  int n = omp_get_max_threads(), count = 0;
#pragma omp parallel proc_bind(close)
  add_one(&count);
#pragma omp parallel proc_bind(spread)
  add_one(&count);
#pragma omp parallel proc_bind(master)
  add_one(&count);
  CHECK_EQ(count, 3 * n);
}

/* Each thread has a large enough stack of its own, and addresses of locals stay valid. */
static void stacks(void) {
  int n = omp_get_max_threads();
  char** where = calloc(n, sizeof *where);
#pragma omp parallel
  {
    char block[32 * 1024];
    int me = omp_get_thread_num();
    memset(block, me & 127, sizeof block);
    where[me] = block;
#pragma omp barrier
    char* other = where[(me + 1) % n];
    CHECK_EQ(other[0], ((me + 1) % n) & 127);
    CHECK_EQ(other[sizeof block - 1], ((me + 1) % n) & 127);
#pragma omp barrier
    CHECK_EQ(block[100], me & 127);
  }
  free(where);
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(numbering);
  RUN(changing_sizes);
  RUN(default_size);
  RUN(if_clause);
  RUN(negative_number);
  RUN(data_sharing);
  RUN(implied_flushes);
  RUN(binding);
  RUN(stacks);
  return check_end();
}
