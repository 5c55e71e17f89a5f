/* SPDX-License-Identifier: Apache-2.0
 * single, copyprivate, master, masked. */
#include "check.h"

typedef struct {
  int values[33];
  double weight;
} Block;

static int private_copy;
#pragma omp threadprivate(private_copy)

static void once_each(void) {
  int rounds = repeats(600), *ran = calloc(rounds, sizeof *ran);
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
#pragma omp single
    add_one(&ran[round]);
    CHECK_EQ(load(&ran[round]), 1);
  }
  for (int round = 0; round < rounds; round++) CHECK_EQ(ran[round], 1);
  free(ran);
}

static void nowait(void) {
  int rounds = 100, total = 0;
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
#pragma omp single nowait
    add_one(&total);
  }
  CHECK_EQ(total, rounds);
}

static void data(void) {
  int first = 12, scratch = 4;
#pragma omp parallel
#pragma omp single firstprivate(first) private(scratch)
  {
    CHECK_EQ(first, 12);
    first = scratch = 0;
  }
  CHECK_EQ(first, 12);
  CHECK_EQ(scratch, 4);
}

static void copyprivate(void) {
  int rounds = repeats(400);
#pragma omp parallel
  {
    int scalar = -1;
    double array[20] = {0};
    Block block = {{0}, 0};
    char* pointer = NULL;
    for (int round = 0; round < rounds; round++) {
#pragma omp single copyprivate(scalar, array, block, pointer, private_copy)
      {
        scalar = round * 3;
        array[19] = round + 0.5;
        block.values[32] = round + 7;
        block.weight = -round;
        pointer = (char*)&scalar;
        private_copy = round + 1000;
      }
      CHECK_EQ(scalar, round * 3);
      CHECK(array[19] == round + 0.5);
      CHECK_EQ(block.values[32], round + 7);
      CHECK(block.weight == -round);
      CHECK(pointer != NULL);
      CHECK_EQ(private_copy, round + 1000);
      scalar = -5;
      array[19] = -5;
    }
  }
}

/* copyprivate inside inner teams, all at once. */
static void nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(min_int(omp_get_max_threads(), 5))
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3)
    for (int round = 0; round < 4; round++) {
      int value = -1;
#pragma omp single copyprivate(value)
      value = outer * 100 + round;
      CHECK_EQ(value, outer * 100 + round);
    }
  }
}

static void by_master(void) {
  int ran = 0, n = omp_get_max_threads();
#pragma omp parallel
  for (int round = 0; round < 10; round++) {
#pragma omp master
    {
      CHECK_EQ(omp_get_thread_num(), 0);
      add_one(&ran);
    }
  }
  CHECK_EQ(ran, 10);
  ran = 0;
#pragma omp parallel
  {
#pragma omp masked
    {
      CHECK_EQ(omp_get_thread_num(), 0);
      add_one(&ran);
    }
#pragma omp masked filter(n - 1)
    {
      CHECK_EQ(omp_get_thread_num(), n - 1);
      add_one(&ran);
    }
#pragma omp masked filter(n)
    add_one(&ran);
#pragma omp masked filter(omp_get_thread_num())
    add_one(&ran);
  }
  CHECK_EQ(ran, 2 + n);
}

static void combined(void) {
  int sum = 0, ran = 0;
#pragma omp parallel master
  add_one(&ran);
#pragma omp parallel masked filter(0)
  add_one(&ran);
  CHECK_EQ(ran, 2);
#pragma omp parallel master taskloop reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  CHECK_EQ(sum, 4950);
#pragma omp parallel masked taskloop reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  CHECK_EQ(sum, 9900);
}

int main(void) {
  CHECK_BEGIN();
  RUN(once_each);
  RUN(nowait);
  RUN(data);
  RUN(copyprivate);
  RUN(nested);
  RUN(by_master);
  RUN(combined);
  return check_end();
}
