/* SPDX-License-Identifier: Apache-2.0
 * threadprivate: persistence from region to region, copyin, separate copies in every thread, the
 * addresses, and the C library's own thread-local state (errno). */
#include <errno.h>

#include "check.h"

static int number = -5;
static struct {
  double values[40];
  int marker;
} block = {.marker = 9};
#pragma omp threadprivate(number, block)

static __thread long plain_tls = 77;
static int shared_count;

int exported_private = 3;
#pragma omp threadprivate(exported_private)

/* With the same team size and dynamic off, each thread finds the values that it left in the
 * previous region. */
static void persistence(void) {
  int n = omp_get_max_threads();
  int** where = calloc(n, sizeof *where);
#pragma omp parallel
  {
    number = 1000 + omp_get_thread_num();
    block.values[7] = omp_get_thread_num() * 0.5;
    plain_tls = -omp_get_thread_num();
    where[omp_get_thread_num()] = &number;
  }
  for (int round = 0; round < repeats(200); round++) {
#pragma omp parallel
    {
      int me = omp_get_thread_num();
      CHECK_EQ(number, 1000 + me + round);
      CHECK(block.values[7] == me * 0.5);
      CHECK_EQ(plain_tls, -me);
      CHECK(where[me] == &number);
      number++;
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) CHECK(where[i] != where[j]);
  CHECK(where[0] == &number);
  free(where);
}

static void survives_other_work(void) {
  int n = omp_get_max_threads();
#pragma omp parallel
  number = 50 + omp_get_thread_num();
  /* A smaller team and a loop of the same size in between. */
#pragma omp parallel num_threads(max_int(1, n / 2))
  CHECK_EQ(number, 50 + omp_get_thread_num());
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 10; i++) add_one(&shared_count);
  /* The specification promises this only for consecutive regions; Bobbin does for any. */
#pragma omp parallel
  if (on_bobbin() || omp_get_thread_num() < n / 2) CHECK_EQ(number, 50 + omp_get_thread_num());
}

static void copies_in(void) {
  for (int round = 0; round < 4; round++) {
    number = 300 + round;
    block.values[39] = 1.25 * round;
    block.marker = round;
#pragma omp parallel copyin(number, block)
    {
      CHECK_EQ(number, 300 + round);
      CHECK(block.values[39] == 1.25 * round);
      CHECK_EQ(block.marker, round);
#pragma omp barrier
      number = omp_get_thread_num();
      block.marker = -1;
    }
    CHECK_EQ(number, 0);
  }
}

/* A team that grows: old threads keep their copies, new ones start from the initial value. */
static int fresh = 11;
#pragma omp threadprivate(fresh)

static void growing(void) {
  int n = omp_get_max_threads();
#pragma omp parallel num_threads(n)
  {
    CHECK_EQ(fresh, 11);
    fresh = 500 + omp_get_thread_num();
  }
#pragma omp parallel num_threads(n + 2)
  {
    int me = omp_get_thread_num();
    if (me >= n) CHECK_EQ(fresh, 11);
    if (me == 0) CHECK_EQ(fresh, 500);
  }
}

/* Inner teams: every thread has a copy of its own; the encountering one sees its own as thread 0.
 */
static void nested(void) {
  int outer = min_int(omp_get_max_threads(), 6);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer)
  {
    int me = omp_get_thread_num();
    number = 100 * me;
    for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(3) copyin(number)
      {
        int inner = omp_get_thread_num();
        CHECK_EQ(number, 100 * me + round);
#pragma omp barrier
        number += inner;
#pragma omp barrier
        CHECK_EQ(number, 100 * me + round + inner);
      }
      CHECK_EQ(number, 100 * me + round);
      number++;
    }
  }
}

static void set_errno(int value) { errno = value; }
static int get_errno(void) { return errno; }

static void errno_is_private(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    for (int round = 0; round < 3; round++) {
      set_errno(10 * me + round);
#pragma omp barrier
      CHECK_EQ(get_errno(), 10 * me + round);
#pragma omp barrier
    }
  }
}

/* Tasks see the copy of the thread that runs them. */
static void in_tasks(void) {
#pragma omp parallel
  {
    number = omp_get_thread_num();
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 60; i++) {
#pragma omp task
      CHECK_EQ(number, omp_get_thread_num());
    }
  }
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(growing);
  RUN(persistence);
  RUN(survives_other_work);
  RUN(copies_in);
  RUN(nested);
  RUN(errno_is_private);
  RUN(in_tasks);
  CHECK_EQ(exported_private, 3);
  return check_end();
}
