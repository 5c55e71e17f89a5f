// SPDX-License-Identifier: Apache-2.0
// Programs whose work and span are known, in units of a piece of work that takes so many
// microseconds of a processor.
// The first argument names the case.
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { kUnitUs = 300 };

static void units(int count) {
  struct timespec begin;
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  long us;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    us = (now.tv_sec - begin.tv_sec) * 1000000L + (now.tv_nsec - begin.tv_nsec) / 1000;
  } while (us < (long)count * kUnitUs);
}

// Each inner node works a unit before its children, and one after them.
static void tree(int depth) {
  units(1);
  if (depth == 0) return;
#pragma omp task
  tree(depth - 1);
#pragma omp task
  tree(depth - 1);
#pragma omp taskwait
  units(1);
}

static void unbalanced(void) {
#pragma omp taskgroup
  {
    for (int i = 1; i <= 10; i++) {
#pragma omp task
      units(i);
    }
  }
}

static void chain(void) {
  int last = 0;
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : last)
    units(1);
#pragma omp task
    units(1);
  }
#pragma omp taskwait
}

enum { kSide = 6 };

static void wavefront(void) {
  char cell[kSide + 1][kSide + 1];
  for (int i = 1; i <= kSide; i++) {
    for (int j = 1; j <= kSide; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j])
      units(1);
    }
  }
#pragma omp taskwait
}

// One writer, ten readers, one writer.
static void readers(void) {
  int x = 0;
#pragma omp task depend(out : x)
  units(2);
  for (int i = 0; i < 10; i++) {
#pragma omp task depend(in : x)
    units(3);
  }
#pragma omp task depend(inout : x)
  units(1);
#pragma omp taskwait depend(in : x)
  units(1);
}

static void undeferred(void) {
  for (int i = 0; i < 10; i++) {
#pragma omp task if (0)
    units(1);
  }
}

static void tasks(const char* name) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    if (strcmp(name, "tree") == 0) tree(5);
    if (strcmp(name, "unbalanced") == 0) unbalanced();
    if (strcmp(name, "chain") == 0) chain();
    if (strcmp(name, "wavefront") == 0) wavefront();
    if (strcmp(name, "readers") == 0) readers();
    if (strcmp(name, "undeferred") == 0) undeferred();
  }
}

static void threads(void) {
#pragma omp parallel num_threads(4)
  {
    units(omp_get_thread_num() + 1);
#pragma omp barrier
    units(4 - omp_get_thread_num());
  }
}

static void nested(void) {
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(4)
  units(2);
}

static void loop(void) {
#pragma omp parallel for num_threads(4) schedule(dynamic, 1)
  for (int i = 0; i < 40; i++) units(i == 7 ? 5 : 1);
}

static void critical(void) {
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 5; i++) {
    units(1);
#pragma omp critical
    units(1);
  }
}

static void serial(void) {
  units(20);
#pragma omp parallel num_threads(4)
  units(5);
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  omp_set_max_active_levels(2);
  if (strcmp(name, "threads") == 0) {
    threads();
  } else if (strcmp(name, "nested") == 0) {
    nested();
  } else if (strcmp(name, "loop") == 0) {
    loop();
  } else if (strcmp(name, "critical") == 0) {
    critical();
  } else if (strcmp(name, "serial") == 0) {
    serial();
  } else {
    tasks(name);
  }
  puts("done");
  return 0;
}
