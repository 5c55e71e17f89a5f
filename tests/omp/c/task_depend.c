/* SPDX-License-Identifier: Apache-2.0
 * depend: chains, fan-out and fan-in, mutexinoutset, array sections as addresses, several items
 * in one task, dependences of inner tasks, a wavefront, many threads making graphs at once. */
#include "check.h"

static void chain(void) {
  int value = 0, n = 300;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : value) shared(value) firstprivate(i)
    {
      CHECK_EQ(value, i);
      value = i + 1;
    }
  }
  CHECK_EQ(value, n);
}

/* out, then many in, then out: readers see the writer, the next writer waits for all readers. */
static void fan(void) {
  int value = 0, readers = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 15; round++) {
#pragma omp task depend(out : value) shared(value, readers) firstprivate(round)
    {
      CHECK_EQ(load(&readers), 10 * (round - 1));
      value = round;
    }
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(in : value) shared(value, readers) firstprivate(round)
      {
        CHECK_EQ(value, round);
        add_one(&readers);
      }
    }
  }
  CHECK_EQ(readers, 150);
}

static void diamond(void) {
  int a = 0, b = 0, c = 0, d = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 20; round++) {
#pragma omp task depend(out : a) shared(a)
    a = round;
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
    b = a + 1;
#pragma omp task depend(in : a) depend(out : c) shared(a, c)
    c = a + 2;
#pragma omp task depend(in : b, c) depend(out : d) shared(b, c, d)
    d = b * c;
#pragma omp task depend(in : d) shared(d) firstprivate(round)
    CHECK_EQ(d, (round + 1) * (round + 2));
  }
}

static void mutually_exclusive(void) {
  int value = 0, inside = 0, done = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 4; round++) {
#pragma omp task depend(out : value) shared(value)
    value = 0;
    for (int i = 0; i < 25; i++) {
#pragma omp task depend(mutexinoutset : value) shared(value, inside, done)
      {
        CHECK_EQ(add_one(&inside), 1);
        value++;
        __atomic_fetch_sub(&inside, 1, __ATOMIC_ACQ_REL);
        add_one(&done);
      }
    }
#pragma omp task depend(in : value) shared(value, done) firstprivate(round)
    {
      CHECK_EQ(value, 25);
      CHECK_EQ(load(&done), 25 * round);
    }
  }
}

/* mutexinoutset on two objects in either order must not cause a deadlock. */
static void two_exclusions(void) {
  int a = 0, b = 0, count = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 60; i++) {
    if (i % 2) {
#pragma omp task depend(mutexinoutset : a, b) shared(count)
      count++;
    } else {
#pragma omp task depend(mutexinoutset : b, a) shared(count)
      count++;
    }
  }
  CHECK_EQ(count, 60);
  CHECK_EQ(a + b, 0);
}

static void sections_of_arrays(void) {
  enum { kBlocks = 12, kBlock = 16 };
  static int data[kBlocks * kBlock];
  memset(data, 0, sizeof data);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 6; round++)
    for (int block = 0; block < kBlocks; block++) {
      int* part = data + block * kBlock;
      int left = (block + kBlocks - 1) % kBlocks;
#pragma omp task depend(inout : part[0 : kBlock]) depend(in : data[left * kBlock]) \
    firstprivate(part, round)
      for (int i = 0; i < kBlock; i++) {
        CHECK_EQ(part[i], round);
        part[i]++;
      }
    }
  for (int i = 0; i < kBlocks * kBlock; i++) CHECK_EQ(data[i], 6);
}

static void wavefront(void) {
  enum { kSide = 14 };
  static int grid[kSide][kSide];
  memset(grid, 0, sizeof grid);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kSide; i++)
    for (int j = 0; j < kSide; j++) {
      if (i == 0 || j == 0) {
#pragma omp task depend(out : grid[i][j])
        grid[i][j] = 1;
      } else {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1], grid[i - 1][j - 1]) \
    depend(out : grid[i][j])
        grid[i][j] = (grid[i - 1][j] + grid[i][j - 1] + grid[i - 1][j - 1]) % 10007;
      }
    }
  static int want[kSide][kSide];
  for (int i = 0; i < kSide; i++)
    for (int j = 0; j < kSide; j++) {
      want[i][j] =
          i == 0 || j == 0 ? 1 : (want[i - 1][j] + want[i][j - 1] + want[i - 1][j - 1]) % 10007;
      CHECK_EQ(grid[i][j], want[i][j]);
    }
}

/* Dependences hold between siblings. In another task's children the same address is unrelated. */
static void siblings_only(void) {
  int address = 0, done = 0;
  (void)address;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(address, done)
    {
      int step = 0;
      for (int k = 0; k < 10; k++) {
#pragma omp task depend(inout : address) shared(step, done) firstprivate(k)
        {
          CHECK_EQ(step, k);
          step++;
          add_one(&done);
        }
      }
#pragma omp taskwait
      CHECK_EQ(step, 10);
    }
  }
  CHECK_EQ(done, 100);
}

/* Each implicit task makes its own graph over the same address. */
static void graph_in_each_thread(void) {
  static int common;
  (void)common;
  int total = 0, n = omp_get_max_threads();
#pragma omp parallel shared(total)
  {
    int step = 0;
    for (int k = 0; k < 8; k++) {
#pragma omp task depend(inout : common) shared(step, total) firstprivate(k)
      {
        CHECK_EQ(step, k);
        step = k + 1;
        add_one(&total);
      }
    }
#pragma omp taskwait
    CHECK_EQ(step, 8);
  }
  CHECK_EQ(total, 8 * n);
}

/* For its successors, a dependent task with children is finished when its body ends. */
static void parents(void) {
  int a = 0, children = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 30; round++) {
#pragma omp task depend(inout : a) shared(a, children) firstprivate(round)
    {
      CHECK_EQ(a, round);
#pragma omp task shared(children)
      add_one(&children);
      a++;
    }
  }
  CHECK_EQ(a, 30);
  CHECK_EQ(children, 30);
}

/* The same object twice in one task, and combinations on one task. */
static void repeated_items(void) {
  int a = 0, b = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 40; i++) {
#pragma omp task depend(in : a) depend(inout : a) depend(out : b) shared(a, b) untied
    {
      a++;
      b = a;
    }
#pragma omp task depend(in : a, b, a) shared(a, b) firstprivate(i) priority(3)
    CHECK(a == i + 1 && b == i + 1);
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(chain);
  RUN(fan);
  RUN(diamond);
  RUN(mutually_exclusive);
  RUN(two_exclusions);
  RUN(sections_of_arrays);
  RUN(wavefront);
  RUN(siblings_only);
  RUN(graph_in_each_thread);
  RUN(parents);
  RUN(repeated_items);
  return check_end();
}
