/* SPDX-License-Identifier: Apache-2.0
 * Tasks within tasks that ask for nothing. The innermost one is the first that asks for something,
 * or changes it. Each task around it must then be what it would be if it had asked before. */
#include "check.h"

enum { kLevels = 6, kRounds = 50 };

/* What the innermost task does, and what each task around it finds afterwards. */
typedef void step(void* data, int level);

/* Tasks of all kinds that may run in place. The one of level `final_from` is final. */
static void nest(int level, int final_from, step* innermost, step* after, void* data) {
  if (level == kLevels) {
    innermost(data, level);
    return;
  }
  if (level == final_from) {
#pragma omp task final(1)
    {
      nest(level + 1, final_from, innermost, after, data);
      after(data, level + 1);
    }
  } else if (level % 3 == 0) {
#pragma omp task
    {
      nest(level + 1, final_from, innermost, after, data);
      after(data, level + 1);
    }
  } else if (level % 3 == 1) {
#pragma omp task untied
    {
      nest(level + 1, final_from, innermost, after, data);
      after(data, level + 1);
    }
  } else {
#pragma omp task if (0)
    {
      nest(level + 1, final_from, innermost, after, data);
      after(data, level + 1);
    }
  }
#pragma omp taskwait
}

static void nothing(void* data, int level) { (void)data, (void)level; }

/* In a team of one each task runs in place, in others some do. */
static void in_teams(void (*one_round)(int round)) {
  for (int size = 1; size <= 3; size++) {
#pragma omp parallel num_threads(size)
#pragma omp single
    for (int round = 0; round < kRounds; round++) one_round(round);
  }
}

static void expect_final(void* data, int level) {
  const int* from = data;
  CHECK_EQ(omp_in_final(), level > *from);
}

static void in_final(int round) {
  int from = round % (kLevels + 1);
  nest(0, from, expect_final, expect_final, &from);
  nest(0, from, nothing, expect_final, &from);
  CHECK(!omp_in_final());
}

/* The region around has 40, and so has each task but the one that changes it, and its children. */
static void change_settings(void* data, int level) {
  (void)data, (void)level;
  CHECK_EQ(omp_get_max_threads(), 40);
  omp_set_num_threads(7);
#pragma omp task
  CHECK_EQ(omp_get_max_threads(), 7);
#pragma omp task if (0)
  {
    CHECK_EQ(omp_get_max_threads(), 7);
    omp_set_num_threads(8);
  }
#pragma omp taskwait
  CHECK_EQ(omp_get_max_threads(), 7);
}

static void expect_settings(void* data, int level) {
  (void)data;
  if (level == kLevels) {
    CHECK_EQ(omp_get_max_threads(), 7); /* it was no task of its own */
  } else {
    CHECK_EQ(omp_get_max_threads(), 40);
  }
}

static void settings(int round) {
  omp_set_num_threads(40);
  nest(0, round % 9, change_settings, expect_settings, NULL);
  CHECK_EQ(omp_get_max_threads(), 40);
}

/* Children that are deferred if anybody wants them: of the innermost task alone. */
static void make_children(void* data, int level) {
  int* ran = data;
  int mine = 0;
  for (int i = 0; i < 20; i++) {
#pragma omp task shared(mine)
    {
      add_one(&mine);
#pragma omp task
      add_one(ran);
    }
  }
#pragma omp taskwait
  CHECK_EQ(mine, 20);
  (void)level;
}

static void leave_children(void* data, int level) {
  for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(data)
    add_one(data);
  }
  (void)level;
}

static void children(int round) {
  int ran = 0;
#pragma omp taskgroup
  {
    nest(0, kLevels, make_children, nothing, &ran);
    nest(0, kLevels, leave_children, leave_children, &ran);
  }
  CHECK_EQ(ran, 20 + 20 + 20 * kLevels);
}

/* Only the innermost task is in the group that it opens. */
static void open_group(void* data, int level) {
  int ran = 0;
#pragma omp taskgroup
  nest(0, kLevels, leave_children, nothing, &ran);
  CHECK_EQ(ran, 20);
  (void)data, (void)level;
}

static void groups(int round) {
  int ran = 0;
#pragma omp taskgroup
  nest(0, kLevels, open_group, leave_children, &ran);
  CHECK_EQ(ran, 20 * kLevels);
}

static void cancel_group(void* data, int level) {
  int* ran_after = data;
#pragma omp task if (0)
  {
#pragma omp cancel taskgroup
  }
#pragma omp task
  add_one(ran_after);
  (void)level;
}

/* Nothing begins after it in the group, and all that is around the group does. */
static void cancellation(int round) {
  if (!omp_get_cancellation()) return;
  int ran_after = 0;
#pragma omp taskgroup
  nest(0, kLevels, cancel_group, nothing, &ran_after);
  CHECK_EQ(ran_after, 0);
  int ran = 0;
#pragma omp taskgroup
  nest(0, kLevels, leave_children, nothing, &ran);
  CHECK_EQ(ran, 20);
}

static void depend_on_siblings(void* data, int level) {
  int value = 0;
#pragma omp task depend(out : value) shared(value)
  value = 1;
#pragma omp task depend(inout : value) shared(value)
  value = value * 10 + 2;
#pragma omp task depend(in : value) shared(value) if (0)
  CHECK_EQ(value, 12);
#pragma omp taskwait
  (void)data, (void)level;
}

static void dependences(int round) { nest(0, round % 9, depend_on_siblings, nothing, NULL); }

static void fork_region(void* data, int level) {
  int count = 0;
  const int level_around = omp_get_level();
#pragma omp parallel num_threads(2) reduction(+ : count)
  {
    CHECK(!omp_in_final());
    CHECK_EQ(omp_get_level(), level_around + 1);
#pragma omp task shared(count)
    count++;
#pragma omp taskwait
  }
  CHECK(count >= 1);
  (void)data, (void)level;
}

static void regions(int round) {
  int from = 9;
  nest(0, from, fork_region, expect_final, &from);
}

/* A task owns its lock, whenever it is asked who it is. */
static void own_lock(void* data, int level) {
  int from = 9;
  omp_nest_lock_t* lock = data;
  CHECK_EQ(omp_test_nest_lock(lock), 1);
#pragma omp task if (0)
  {
    CHECK_EQ(omp_test_nest_lock(lock), 0);
    nest(kLevels - 2, from, expect_final, expect_final, &from);
  }
  CHECK_EQ(omp_test_nest_lock(lock), 2);
  int ran = 0;
#pragma omp taskgroup
  nest(0, from, leave_children, nothing, &ran);
  omp_unset_nest_lock(lock);
  omp_unset_nest_lock(lock);
  (void)level;
}

static void locks(int round) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
#pragma omp taskgroup
  nest(0, 9, own_lock, nothing, &lock);
  omp_destroy_nest_lock(&lock);
}

#define RUN_IN_TEAMS(one_round)                          \
  do {                                                   \
    check_case = #one_round;                             \
    if (!check_skipped(#one_round)) in_teams(one_round); \
  } while (0)

int main(void) {
  CHECK_BEGIN();
  RUN_IN_TEAMS(in_final);
  RUN_IN_TEAMS(settings);
  RUN_IN_TEAMS(children);
  RUN_IN_TEAMS(groups);
  RUN_IN_TEAMS(cancellation);
  RUN_IN_TEAMS(dependences);
  RUN_IN_TEAMS(regions);
  RUN_IN_TEAMS(locks);
  return check_end();
}
