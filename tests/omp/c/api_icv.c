/* SPDX-License-Identifier: Apache-2.0
 * Internal control variables: each data environment has its own set, a new one inherits it, and
 * other tasks or threads do not see what a task or thread sets. */
#include "check.h"

static int plain_kind(omp_sched_t kind) { return (int)((unsigned)kind & 0x7fffffffU); }

static void set_and_get(void) {
  int n = omp_get_max_threads();
  omp_set_num_threads(n + 5);
  CHECK_EQ(omp_get_max_threads(), n + 5);
  omp_set_num_threads(n);
  omp_set_dynamic(1);
  CHECK(omp_get_dynamic());
  omp_set_dynamic(0);
  CHECK(!omp_get_dynamic());
  static const omp_sched_t kKinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                       omp_sched_auto};
  for (int i = 0; i < 4; i++) {
    omp_sched_t kind;
    int chunk;
    omp_set_schedule(kKinds[i], 10 + i);
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(plain_kind(kind), kKinds[i]);
    if (kKinds[i] != omp_sched_auto) CHECK_EQ(chunk, 10 + i);
  }
  omp_set_max_active_levels(7);
  CHECK_EQ(omp_get_max_active_levels(), 7);
  CHECK(omp_get_supported_active_levels() >= 7);
  omp_set_max_active_levels(0);
  CHECK_EQ(omp_get_max_active_levels(), 0);
  omp_set_max_active_levels(1);
  CHECK(omp_get_thread_limit() > 0);
  CHECK(omp_get_num_procs() >= 1);
  CHECK_EQ(omp_get_cancellation(), 0);
  CHECK(omp_get_default_allocator() != omp_null_allocator);
}

static void inherited_by_threads(void) {
  int n = omp_get_max_threads();
  omp_set_schedule(omp_sched_guided, 9);
  omp_set_max_active_levels(3);
#pragma omp parallel
  {
    omp_sched_t kind;
    int chunk, me = omp_get_thread_num();
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(plain_kind(kind), omp_sched_guided);
    CHECK_EQ(chunk, 9);
    CHECK_EQ(omp_get_max_threads(), n);
    omp_set_num_threads(me + 1);
    omp_set_dynamic(me % 2);
    omp_set_schedule(omp_sched_dynamic, me + 1);
#pragma omp barrier
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(omp_get_max_threads(), me + 1);
    CHECK_EQ(!!omp_get_dynamic(), me % 2);
    CHECK_EQ(plain_kind(kind), omp_sched_dynamic);
    CHECK_EQ(chunk, me + 1);
    omp_set_dynamic(0);
#pragma omp barrier
    /* An inner team inherits from the thread that made it. */
    if (me < 6) {
#pragma omp parallel
      {
        omp_sched_t inner;
        int inner_chunk;
        CHECK_EQ(omp_get_num_threads(), me + 1);
        omp_get_schedule(&inner, &inner_chunk);
        CHECK_EQ(inner_chunk, me + 1);
        omp_set_num_threads(50);
      }
      CHECK_EQ(omp_get_max_threads(), me + 1);
    }
  }
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK_EQ(plain_kind(kind), omp_sched_guided);
  CHECK_EQ(chunk, 9);
  CHECK_EQ(omp_get_max_threads(), n);
  CHECK(!omp_get_dynamic());
}

/* A new region starts with the values of its encountering task, whatever its threads set before. */
static void not_kept_by_threads(void) {
  int n = omp_get_max_threads();
  for (int round = 0; round < 4; round++) {
#pragma omp parallel
    {
      CHECK_EQ(omp_get_max_threads(), n);
      omp_set_num_threads(n + 10 + round);
      omp_set_max_active_levels(5);
    }
    CHECK_EQ(omp_get_max_threads(), n);
  }
}

static void in_tasks(void) {
  int n = omp_get_max_threads();
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(i)
      {
        CHECK_EQ(omp_get_max_threads(), n);
        omp_set_num_threads(i + 1);
        omp_set_schedule(omp_sched_static, i + 1);
#pragma omp task firstprivate(i)
        {
          omp_sched_t kind;
          int chunk;
          CHECK_EQ(omp_get_max_threads(), i + 1);
          omp_get_schedule(&kind, &chunk);
          CHECK_EQ(chunk, i + 1);
          omp_set_num_threads(2000);
        }
#pragma omp taskwait
        CHECK_EQ(omp_get_max_threads(), i + 1);
      }
    }
    CHECK_EQ(omp_get_max_threads(), n);
    /* Undeferred and final tasks too. */
#pragma omp task if (0)
    omp_set_num_threads(3000);
    CHECK_EQ(omp_get_max_threads(), n);
#pragma omp task final(1) shared(n)
    {
      CHECK(omp_in_final());
#pragma omp task
      {
        CHECK(omp_in_final());
        omp_set_num_threads(4000);
      }
      CHECK_EQ(omp_get_max_threads(), n);
    }
    CHECK(!omp_in_final());
  }
  CHECK_EQ(omp_get_max_threads(), n);
}

static void schedule_of_the_task(void) {
  enum { kCount = 60 };
  static int owner[kCount];
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(min_int(omp_get_max_threads(), 3))
#pragma omp critical
  {
    int chunk = omp_get_thread_num() + 1;
    omp_set_schedule(omp_sched_static, chunk);
#pragma omp parallel for num_threads(3) schedule(runtime)
    for (int i = 0; i < kCount; i++) owner[i] = omp_get_thread_num();
    for (int i = 0; i < kCount; i++) CHECK_EQ(owner[i], i / chunk % 3);
  }
}

static void bad_values(void) {
  int n = omp_get_max_threads();
  CHECK_EQ(omp_get_ancestor_thread_num(-1), -1);
  CHECK_EQ(omp_get_ancestor_thread_num(1), -1);
  CHECK_EQ(omp_get_team_size(1), -1);
  CHECK_EQ(omp_get_team_size(0), 1);
  CHECK_EQ(omp_get_max_threads(), n);
}

int main(void) {
  CHECK_BEGIN();
  RUN(set_and_get);
  RUN(inherited_by_threads);
  RUN(not_kept_by_threads);
  RUN(in_tasks);
  RUN(schedule_of_the_task);
  RUN(bad_values);
  return check_end();
}
