/* SPDX-License-Identifier: Apache-2.0
 * depobj, iterators in depend clauses, and the newer kinds where the compiler has them. */
#include "check.h"

static void objects(void) {
  int value = 0;
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : value)
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 50; i++) {
#pragma omp task depend(depobj : object) shared(value) firstprivate(i)
      CHECK_EQ(value++, i);
    }
    /* The same dependence written directly has the same order as the object's. */
#pragma omp task depend(in : value) shared(value)
    CHECK_EQ(value, 50);
#pragma omp taskwait
#pragma omp depobj(object) update(in)
    int readers = 0;
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(depobj : object) shared(value, readers)
      {
        CHECK_EQ(value, 50);
        add_one(&readers);
      }
    }
#pragma omp depobj(object) update(out)
#pragma omp task depend(depobj : object) shared(value, readers)
    {
      CHECK_EQ(load(&readers), 10);
      value = 7;
    }
#pragma omp depobj(object) update(mutexinoutset)
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(depobj : object) shared(value)
      value++;
    }
#pragma omp taskwait depend(in : value)
    CHECK_EQ(value, 17);
#pragma omp taskwait
  }
#pragma omp depobj(object) destroy
}

static void several_objects(void) {
  enum { kObjects = 6 };
  static int cells[kObjects];
  omp_depend_t objects[kObjects];
  for (int i = 0; i < kObjects; i++) {
#pragma omp depobj(objects[i]) depend(inout : cells[i])
  }
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; round++) {
    for (int i = 0; i + 1 < kObjects; i++) {
      omp_depend_t *left = &objects[i], *right = &objects[i + 1];
#pragma omp task depend(depobj : *left) depend(depobj : *right) firstprivate(i, round)
      {
        CHECK_EQ(cells[i], round * (i == 0 ? 1 : 2) + (i == 0 ? 0 : 1));
        cells[i]++;
        cells[i + 1]++;
      }
    }
  }
  for (int i = 0; i < kObjects; i++) {
    CHECK_EQ(cells[i], i == 0 || i == kObjects - 1 ? 10 : 20);
#pragma omp depobj(objects[i]) destroy
  }
}

static void iterators(void) {
  enum { kCells = 20 };
  static int cells[kCells];
  static int n = kCells;
  int sum = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 8; round++) {
    for (int i = 0; i < kCells; i++) {
#pragma omp task depend(inout : cells[i]) firstprivate(i)
      cells[i]++;
    }
#pragma omp task depend(iterator(i = 0 : n), in : cells[i]) shared(sum) depend(out : sum)
    {
      sum = 0;
      for (int i = 0; i < kCells; i++) sum += cells[i];
    }
#pragma omp task depend(in : sum) shared(sum) firstprivate(round)
    CHECK_EQ(sum, round * kCells);
#pragma omp task depend(iterator(long k = n - 1 : -1 : -2), inout : cells[k])
    for (int i = kCells - 1; i >= 0; i -= 2) cells[i] += 0;
#pragma omp taskwait depend(iterator(i = 0 : n), in : cells[i])
    for (int i = 0; i < kCells; i++) CHECK_EQ(cells[i], round);
  }
}

/* No iteration: no dependence. */
static void empty_iterator(void) {
  static int cells[4];
  static int none = 0;
  int ran = cells[0] + none;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task depend(iterator(k = 0 : none), inout : cells[k]) shared(ran)
    add_one(&ran);
  }
  CHECK_EQ(ran, 10);
}

static void newer_kinds(void) {
#ifndef GAP_newer_kinds
  int value = 0, sets = 0, other = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 6; round++) {
#pragma omp task depend(out : value) shared(value)
    value = round;
    for (int i = 0; i < 8; i++) {
#pragma omp task depend(inoutset : value) shared(value, sets) firstprivate(round)
      {
        CHECK_EQ(value, round);
        add_one(&sets);
      }
    }
#pragma omp task depend(inout : other) shared(other)
    other++;
#pragma omp task depend(inout : omp_all_memory) shared(sets, other) firstprivate(round)
    {
      CHECK_EQ(load(&sets), 8 * round);
      CHECK_EQ(other, round);
    }
  }
#endif
}

int main(void) {
  CHECK_BEGIN();
  RUN(objects);
  RUN(several_objects);
  RUN(iterators);
  RUN(empty_iterator);
  RUN(newer_kinds);
  return check_end();
}
