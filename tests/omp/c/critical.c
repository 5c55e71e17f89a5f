/* SPDX-License-Identifier: Apache-2.0
 * critical: mutual exclusion by name, across teams and roots, nesting of names, hints. */
#include <sched.h>

#include "check.h"

static long unnamed_count, named_count, other_count, third_count;
static int inside_unnamed, inside_named;

static void exclusion(void) {
  int n = omp_get_max_threads(), each = max_int(20, 4000 / n);
  unnamed_count = named_count = 0;
#pragma omp parallel
  for (int i = 0; i < each; i++) {
#pragma omp critical
    {
      CHECK_EQ(add_one(&inside_unnamed), 1);
      unnamed_count++;
      __atomic_fetch_sub(&inside_unnamed, 1, __ATOMIC_ACQ_REL);
    }
#pragma omp critical(name)
    {
      CHECK_EQ(add_one(&inside_named), 1);
      named_count++;
      __atomic_fetch_sub(&inside_named, 1, __ATOMIC_ACQ_REL);
    }
  }
  CHECK_EQ(unnamed_count, (long)n * each);
  CHECK_EQ(named_count, (long)n * each);
}

/* Different names do not exclude each other: one thread waits inside its section for another thread
 * inside a section of another name. */
static void names_are_independent(void) {
  int a = 0, b = 0;
  if (omp_get_max_threads() < 2) return;
#pragma omp parallel shared(a, b)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp critical(first)
      {
        store(&a, 1);
        spin_until(&b);
      }
    } else if (omp_get_thread_num() == 1) {
#pragma omp critical(second)
      {
        store(&b, 1);
        spin_until(&a);
      }
    }
  }
  CHECK(a && b);
}

static void nested_names(void) {
  int n = omp_get_max_threads();
  long count = 0;
#pragma omp parallel
  for (int i = 0; i < 10; i++) {
#pragma omp critical(outer)
    {
#pragma omp critical(inner)
      {
#pragma omp critical
        count++;
      }
    }
  }
  CHECK_EQ(count, 10L * n);
}

static void hints(void) {
  int n = omp_get_max_threads();
  other_count = third_count = 0;
#pragma omp parallel
  for (int i = 0; i < 10; i++) {
#pragma omp critical(contended) hint(omp_sync_hint_contended)
    other_count++;
#pragma omp critical(speculative) hint(omp_sync_hint_uncontended | omp_sync_hint_speculative)
    third_count++;
  }
  CHECK_EQ(other_count + third_count, 20L * n);
}

/* Each name is one lock in the whole program. Inner teams of different outer threads share it. */
static void across_teams(void) {
  int outer = min_int(omp_get_max_threads(), 4);
  long count = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer)
#pragma omp parallel num_threads(3)
  for (int i = 0; i < 20; i++) {
#pragma omp critical(name)
    count++;
  }
  CHECK_EQ(count, 60L * outer);
}

/* With a loop and tasks inside: the protected data stay consistent. */
static void in_tasks(void) {
  long count = 0;
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < 200; i++) {
#pragma omp task shared(count)
    {
#pragma omp critical
      count++;
    }
  }
  CHECK_EQ(count, 200);
}

int main(void) {
  CHECK_BEGIN();
  RUN(exclusion);
  RUN(names_are_independent);
  RUN(nested_names);
  RUN(hints);
  RUN(across_teams);
  RUN(in_tasks);
  return check_end();
}
