/* SPDX-License-Identifier: Apache-2.0
 * Directives that the compilers implemented late, around constructs that the runtime serves:
 * metadirective, tile, unroll, dispatch. */
#include "check.h"

enum { kRows = 17, kColumns = 23 };

static void metadirectives(void) {
  int threads = 0, sum = 0;
  const int wanted = omp_get_max_threads();
#pragma omp metadirective when(user = {condition(1)} : parallel) default(nothing)
  {
    const int all = omp_get_num_threads();
    if (omp_get_thread_num() == 0) store(&threads, all);
  }
  CHECK_EQ(threads, wanted);
#pragma omp metadirective when(user = {condition(wanted < 0)} : nothing) default( \
        parallel for reduction(+ : sum))
  for (int i = 0; i < 100; i++) sum += i;
  CHECK_EQ(sum, 4950);
}

static void transformed_loops(void) {
  int hits[kRows][kColumns] = {{0}}, sum = 0;
#pragma omp parallel
  {
#pragma omp for collapse(2)
#pragma omp tile sizes(3, 5)
    for (int i = 0; i < kRows; i++)
      for (int j = 0; j < kColumns; j++) add_one(&hits[i][j]);
#pragma omp for schedule(dynamic) reduction(+ : sum)
#pragma omp unroll partial(3)
    for (int i = 0; i < 100; i++) sum += i;
  }
  for (int i = 0; i < kRows; i++)
    for (int j = 0; j < kColumns; j++) CHECK_EQ(hits[i][j], 1);
  CHECK_EQ(sum, 4950);
}

#ifndef GAP_dispatched
static int on_device(int* where, int number) { return *where == 7 ? 2 * number : -1; }
#pragma omp declare variant(on_device) match(construct = {dispatch}) \
    adjust_args(need_device_ptr : where)
static int anywhere(int* where, int number) {
  (void)where;
  return number;
}

/* The variant gets a device pointer: the host's own, whatever name is used for the device. */
static void dispatched(void) {
  int value = 7, by_default = 0, by_number = 0, before = 0;
  int* const where = &value;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : before) shared(before)
    before = 1;
#pragma omp dispatch depend(in : before)
    by_default = anywhere(where, 10);
    CHECK_EQ(before, 1);
#pragma omp dispatch device(omp_get_initial_device())
    by_number = anywhere(where, 4);
  }
  CHECK_EQ(by_default, 20);
  CHECK_EQ(by_number, 8);
}
#endif

int main(void) {
  CHECK_BEGIN();
  RUN(metadirectives);
  RUN(transformed_loops);
#ifndef GAP_dispatched
  RUN(dispatched);
#endif
  return check_end();
}
