/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops, sections and their dependences by LLVM's entry points, including those that clang 19 does
 * not emit.
 */
#include "check.h"
#include "kmp/kmp_direct.h"

enum { kCount = 500, kTeams = 3 };
enum {
  kStaticChunked = 33,
  kStatic = 34,
  kDynamic = 35,
  kGuided = 36,
  kTrapezoidal = 39,
  kStaticSteal = 44,
  kStaticBalancedChunked = 45,
  kGuidedSimd = 46,
  kRuntimeSimd = 47,
  kOrderedDynamic = 67,
  kNonmonotonic = 1 << 30,
  kNoMerge = 128
};

static int32_t me(void) { return __kmpc_global_thread_num(&kPlace); }

static int done[kCount];

static void reset(void) { memset(done, 0, sizeof done); }
static void execute(long i) { __atomic_add_fetch(&done[i], 1, __ATOMIC_RELAXED); }
static void check_done(int times) {
  for (int i = 0; i < kCount; i++) CHECK_EQ(done[i], times);
}

static void dispatch(void) {
  static const int32_t kinds[] = {
      kStaticChunked, kStatic,      kDynamic,     kDynamic | kNonmonotonic,
      kGuided,        kTrapezoidal, kStaticSteal, kDynamic + kNoMerge};
  for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    reset();
    int lasts = 0;
#pragma omp parallel
    {
      int32_t last = 0, lower, upper, step;
      __kmpc_dispatch_init_4(&kPlace, me(), kinds[k], 10, 10 + 3 * (kCount - 1), 3, 4);
      while (__kmpc_dispatch_next_4(&kPlace, me(), &last, &lower, &upper, &step)) {
        CHECK_EQ(step, 3);
        for (int i = lower; i <= upper; i += step) execute((i - 10) / 3);
        if (upper == 10 + 3 * (kCount - 1)) CHECK(last);
      }
      /* libomp forgets it when it gives the thread stolen chunks after the last one. */
      if (on_bobbin() && last) add_one(&lasts);
      /* No thread waits: the next loop begins at once. */
      uint64_t from, to;
      int64_t by;
      __kmpc_dispatch_init_8u(&kPlace, me(), kinds[k], UINT64_MAX - kCount + 1, UINT64_MAX, 1, 7);
      while (__kmpc_dispatch_next_8u(&kPlace, me(), NULL, &from, &to, &by)) {
        for (uint64_t i = from;; i++) {
          execute(i - (UINT64_MAX - kCount + 1));
          if (i == to) break;
        }
      }
    }
    check_done(2);
    if (on_bobbin()) CHECK_EQ(lasts, 1);
  }
}

/* Compilers that count from 0 to the number of iterations less one express an empty loop by
 * this. */
static void none_counted_from_zero(void) {
  int parts = 0;
#pragma omp parallel
  {
    uint32_t from, to;
    int32_t by;
    __kmpc_dispatch_init_4u(&kPlace, me(), kDynamic, 0, UINT32_MAX, 1, 1 << 26);
    while (__kmpc_dispatch_next_4u(&kPlace, me(), NULL, &from, &to, &by)) add_one(&parts);
  }
  CHECK_EQ(parts, 0);
}

/* Chunks of whole vectors, except the last one. */
static void vectors(void) {
  enum { kVector = 4 };
  static const struct {
    int32_t schedule;
    omp_sched_t runtime;
    int chunk, vectors; /* that each chunk holds, 0: any number */
  } kinds[] = {
      {kStaticBalancedChunked, omp_sched_static, 0, 0}, {kGuidedSimd, omp_sched_static, 0, 0},
      {kRuntimeSimd, omp_sched_static, 0, 0},           {kRuntimeSimd, omp_sched_static, 3, 3},
      {kRuntimeSimd, omp_sched_dynamic, 1, 1},          {kRuntimeSimd, omp_sched_dynamic, 5, 5},
      {kRuntimeSimd, omp_sched_guided, 2, 0},           {kRuntimeSimd, omp_sched_auto, 0, 0},
  };
  for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    reset();
    omp_set_schedule(kinds[k].runtime, kinds[k].chunk);
#pragma omp parallel
    {
      int32_t last, lower, upper, step;
      __kmpc_dispatch_init_4(&kPlace, me(), kinds[k].schedule, 0, kCount - 1, 1, kVector);
      while (__kmpc_dispatch_next_4(&kPlace, me(), &last, &lower, &upper, &step)) {
        int length = upper - lower + 1;
        if (upper != kCount - 1 && omp_get_num_threads() > 1) {
          CHECK_EQ(length % kVector, 0);
          if (kinds[k].vectors != 0) CHECK_EQ(length, kVector * kinds[k].vectors);
        }
        for (int i = lower; i <= upper; i++) execute(i);
      }
    }
    check_done(1);
  }
}

static void ordered(void) {
  int next = 0;
#pragma omp parallel
  {
    int32_t last, lower, upper, step;
    __kmpc_dispatch_init_4(&kPlace, me(), kOrderedDynamic, 0, kCount - 1, 1, 3);
    while (__kmpc_dispatch_next_4(&kPlace, me(), &last, &lower, &upper, &step)) {
      for (int i = lower; i <= upper; i++) {
        if (i % 5 != 4) {
          __kmpc_ordered(&kPlace, me());
          CHECK(next <= i);
          next = i;
          __kmpc_end_ordered(&kPlace, me());
        }
        __kmpc_dispatch_fini_4(&kPlace, me());
      }
    }
  }
  CHECK_EQ(next, kCount - 2);
}

static void team_part(int32_t* global, int32_t* num) {
  (void)global, (void)num;
  /* libomp has no more teams than processors. */
  if (on_bobbin()) CHECK_EQ(omp_get_num_teams(), kTeams);
  uint32_t lower = 0, upper = kCount - 1;
  int32_t last = 0, stride;
  __kmpc_team_static_init_4u(&kPlace, me(), &last, &lower, &upper, &stride, 1, 20);
  for (; lower < kCount; lower += (uint32_t)stride, upper += (uint32_t)stride) {
    for (uint32_t i = lower; i <= upper && i < kCount; i++) execute(i);
  }
#pragma omp parallel
  {
    int64_t from = 0, to = kCount - 1, team_to, by;
    int32_t last_one = 0;
    __kmpc_dist_for_static_init_8(&kPlace, me(), kStatic, &last_one, &from, &to, &team_to, &by, 1,
                                  1);
    for (int64_t i = from; i <= to; i++) execute(i);
    if (last_one) CHECK_EQ(to, kCount - 1);

    int32_t lower_one, upper_one, step, last_part = 0;
    __kmpc_dist_dispatch_init_4(&kPlace, me(), kDynamic, &last_one, 0, kCount - 1, 1, 2);
    while (__kmpc_dispatch_next_4(&kPlace, me(), &last_part, &lower_one, &upper_one, &step)) {
      for (int i = lower_one; i <= upper_one; i++) execute(i);
    }
  }
}

static int had_last;

/* A flag, as in Intel's code, marks the thread of all teams that executes the last iteration. */
static void last_of_part(int32_t* global, int32_t* num) {
  (void)global, (void)num;
#pragma omp parallel
  {
    int32_t lower, upper, step, last = 0;
    __kmpc_dist_dispatch_init_4(&kPlace, me(), kDynamic, &last, 0, kTeams * 2 - 1, 1, 1);
    int mine = 0;
    while (__kmpc_dispatch_next_4(&kPlace, me(), &last, &lower, &upper, &step)) {
      mine = upper == kTeams * 2 - 1;
    }
    CHECK_EQ(last, mine);
    __atomic_add_fetch(&had_last, last, __ATOMIC_RELAXED);
  }
}

static void last_of_all_teams(void) {
  had_last = 0;
  __kmpc_push_num_teams(&kPlace, me(), kTeams, 0);
  __kmpc_fork_teams(&kPlace, 0, (Microtask)last_of_part);
  CHECK_EQ(had_last, 1);
}

static void teams(void) {
  reset();
  __kmpc_push_num_teams(&kPlace, me(), kTeams, 0);
  __kmpc_fork_teams(&kPlace, 0, (Microtask)team_part);
  check_done(3);
}

static void sections(void) {
  for (int round = 0; round < 20; round++) {
    int executed[5] = {0};
#pragma omp parallel
    {
      __kmpc_sections_init(&kPlace, me());
      for (int32_t s; (s = __kmpc_next_section(&kPlace, me(), 5)) < 5;) {
        CHECK(s >= 0);
        __atomic_add_fetch(&executed[s], 1, __ATOMIC_RELAXED);
      }
      __kmpc_end_sections(&kPlace, me());
    }
    for (int i = 0; i < 5; i++) CHECK_EQ(executed[i], 1);
  }
}

/* From 20 down to 2 by 3, and from -4 to 4: the bounds as they are in the program. */
static void doacross(void) {
  enum { kRows = 7, kColumns = 9 };
  static int reached[kRows][kColumns];
  static const Dimension nest[2] = {{20, 2, -3}, {-4, 4, 1}};
  for (int schedule = 0; schedule < 2; schedule++) {
    memset(reached, 0, sizeof reached);
#pragma omp parallel
    {
      __kmpc_doacross_init(&kPlace, me(), 2, nest);
      int32_t last, lower, upper, step;
      __kmpc_dispatch_init_4(&kPlace, me(), schedule == 0 ? kDynamic : kStaticChunked, 0, kRows - 1,
                             1, 1);
      while (__kmpc_dispatch_next_4(&kPlace, me(), &last, &lower, &upper, &step)) {
        for (int r = lower; r <= upper; r++) {
          for (int c = 0; c < kColumns; c++) {
            int64_t above[2] = {20 - 3 * (r - 1), c - 4 + 1}, here[2] = {20 - 3 * r, c - 4};
            __kmpc_doacross_wait(&kPlace, me(), above);
            if (r > 0 && c + 1 < kColumns) {
              CHECK(__atomic_load_n(&reached[r - 1][c + 1], __ATOMIC_RELAXED));
            }
            __atomic_store_n(&reached[r][c], 1, __ATOMIC_RELAXED);
            __kmpc_doacross_post(&kPlace, me(), here);
          }
        }
      }
      __kmpc_doacross_fini(&kPlace, me());
    }
    for (int r = 0; r < kRows; r++) {
      for (int c = 0; c < kColumns; c++) CHECK(reached[r][c]);
    }
  }
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(dispatch);
  RUN(none_counted_from_zero);
  RUN(vectors);
  RUN(ordered);
  RUN(teams);
  RUN(last_of_all_teams);
  RUN(sections);
  RUN(doacross);
  return check_end();
}
