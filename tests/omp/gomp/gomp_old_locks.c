/* SPDX-License-Identifier: Apache-2.0
 * The lock routines of version OMP_1.0, which programs built before OpenMP 3.0 still ask for:
 * a simple lock is 4 bytes, a nestable one 8, and a nestable lock belongs to the thread. */
#include <sched.h>

#include "check.h"

typedef struct {
  int words[1];
} OldLock;
typedef struct {
  int words[2];
} OldNestLock;

#define OLD(result, name, argument)                        \
  result old_##name(argument*);                            \
  result old_##name##_fortran(argument*);                  \
  __asm__(".symver old_" #name ", omp_" #name "@OMP_1.0"); \
  __asm__(".symver old_" #name "_fortran, omp_" #name "_@OMP_1.0")

OLD(void, init_lock, OldLock);
OLD(void, destroy_lock, OldLock);
OLD(void, set_lock, OldLock);
OLD(void, unset_lock, OldLock);
OLD(int, test_lock, OldLock);
OLD(void, init_nest_lock, OldNestLock);
OLD(void, destroy_nest_lock, OldNestLock);
OLD(void, set_nest_lock, OldNestLock);
OLD(void, unset_nest_lock, OldNestLock);
OLD(int, test_nest_lock, OldNestLock);

static const int kCanary = 0x5ca1ab1e;

static void simple(void) {
  struct {
    int before;
    OldLock lock;
    int after;
  } here = {kCanary, {{0}}, kCanary};
  int n = omp_get_max_threads(), count = 0;
  old_init_lock(&here.lock);
  CHECK(old_test_lock(&here.lock));
  CHECK(!old_test_lock(&here.lock));
  old_unset_lock(&here.lock);
#pragma omp parallel
  for (int i = 0; i < 30; i++) {
    old_set_lock(&here.lock);
    count++;
    old_unset_lock(&here.lock);
  }
  CHECK_EQ(count, 30 * n);
  old_destroy_lock(&here.lock);
  CHECK_EQ(here.before, kCanary);
  CHECK_EQ(here.after, kCanary);
}

static void nestable(void) {
  struct {
    int before;
    OldNestLock lock;
    int after;
  } here = {kCanary, {{0}}, kCanary};
  int n = omp_get_max_threads(), count = 0;
  old_init_nest_lock(&here.lock);
#pragma omp parallel
  for (int i = 0; i < 20; i++) {
    old_set_nest_lock(&here.lock);
    CHECK_EQ(old_test_nest_lock(&here.lock), 2);
    old_set_nest_lock(&here.lock);
    count++;
    old_unset_nest_lock(&here.lock);
    old_unset_nest_lock(&here.lock);
    old_unset_nest_lock(&here.lock);
  }
  CHECK_EQ(count, 20 * n);
  old_destroy_nest_lock(&here.lock);
  CHECK_EQ(here.before, kCanary);
  CHECK_EQ(here.after, kCanary);
}

static void from_fortran(void) {
  struct {
    int before;
    OldLock lock;
    int between;
    OldNestLock nest;
    int after;
  } here = {kCanary, {{0}}, kCanary, {{0}}, kCanary};
  int n = omp_get_max_threads(), count = 0;
  old_init_lock_fortran(&here.lock);
  old_init_nest_lock_fortran(&here.nest);
#pragma omp parallel
  for (int i = 0; i < 20; i++) {
    if (i % 2 == 0) {
      old_set_lock_fortran(&here.lock);
    } else {
      while (!old_test_lock_fortran(&here.lock)) sched_yield();
    }
    count++;
    old_unset_lock_fortran(&here.lock);
    old_set_nest_lock_fortran(&here.nest);
    CHECK_EQ(old_test_nest_lock_fortran(&here.nest), 2);
    old_unset_nest_lock_fortran(&here.nest);
    old_unset_nest_lock_fortran(&here.nest);
  }
  CHECK_EQ(count, 20 * n);
  old_destroy_lock_fortran(&here.lock);
  old_destroy_nest_lock_fortran(&here.nest);
  CHECK_EQ(here.before, kCanary);
  CHECK_EQ(here.between, kCanary);
  CHECK_EQ(here.after, kCanary);
}

int main(void) {
  CHECK_BEGIN();
  RUN(simple);
  RUN(nestable);
  RUN(from_fortran);
  return check_end();
}
