/* SPDX-License-Identifier: Apache-2.0
 * What a task must be even if its begin and end are part of the program: a task of its own, with
 * its own settings, within its parent. */
#include "check.h"

enum { kTasks = 300 };

/* A chain of tasks, each of which waits for the next one. Bobbin takes a new stack when one is used
 * up, and libgomp does not. */
static long descend(long levels) {
  long below = 0;
  if (levels == 0) return 0;
#pragma omp task shared(below)
  below = descend(levels - 1);
#pragma omp taskwait
  return below + 1;
}

static void deep_recursion(void) {
  /* ThreadSanitizer keeps at most 65,536 frames, of which a level has up to five. */
  const long levels = kSlow ? 10000 : 1000000;
  long reached = 0;
#pragma omp parallel num_threads(1)
  reached = descend(levels);
  CHECK_EQ(reached, levels);
  if (kSlow) return;
#pragma omp parallel
#pragma omp single
  reached = descend(levels / 10);
  CHECK_EQ(reached, levels / 10);
}

/* Below a final task everything is final and runs in the same thread, before its parent goes on. */
static void tree_in_final(int levels, int thread, int* ran) {
  CHECK(omp_in_final());
  CHECK_EQ(omp_get_thread_num(), thread);
  add_one(ran);
  if (levels == 0) return;
  for (int i = 0; i < 3; i++) {
    int before = load(ran);
#pragma omp task
    tree_in_final(levels - 1, thread, ran);
    CHECK(load(ran) > before);
#pragma omp task untied mergeable shared(before)
    before = -1;
    CHECK_EQ(before, -1);
  }
}

static void final_tasks(void) {
#pragma omp parallel
  for (int levels = 0; levels < 5; levels++) {
    int ran = 0;
#pragma omp task final(levels < 4) shared(ran)
    {
      CHECK_EQ(omp_in_final(), levels < 4);
      if (levels < 4) tree_in_final(levels, omp_get_thread_num(), &ran);
    }
#pragma omp taskwait
    int nodes = 0;
    for (int level = 0, width = 1; level <= levels && levels < 4; level++, width *= 3)
      nodes += width;
    CHECK_EQ(ran, nodes);
    CHECK(!omp_in_final());
  }
}

/* Each task may change its settings; neither its parent nor its siblings see that. */
static void settings(void) {
#pragma omp parallel
  {
    omp_set_num_threads(40);
    for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
      {
        CHECK_EQ(omp_get_max_threads(), 40);
        omp_set_num_threads(100 + i);
#pragma omp task firstprivate(i) if (i % 2)
        {
          CHECK_EQ(omp_get_max_threads(), 100 + i);
          omp_set_num_threads(7);
        }
#pragma omp taskwait
        CHECK_EQ(omp_get_max_threads(), 100 + i);
      }
    }
#pragma omp taskwait
    CHECK_EQ(omp_get_max_threads(), 40);
  }
}

/* A task that runs in place defers children and ends before them. */
static void leave_children(int levels, int* ran) {
  add_one(ran);
  if (levels == 0) return;
  for (int i = 0; i < 4; i++) {
#pragma omp task
    leave_children(levels - 1, ran);
  }
}

static void children_outlive(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    leave_children(6, &ran);
    CHECK_EQ(ran, 5461);
    leave_children(6, &ran);
  }
  CHECK_EQ(ran, 2 * 5461);
}

/* taskwait waits for the children of the current task alone, but for all of them. */
static void waits_for_children(void) {
  int ended = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kTasks; round++) {
    int children = 0;
#pragma omp task shared(ended, children)
    {
      int mine = 0;
#pragma omp task shared(mine)
      add_one(&mine);
#pragma omp task shared(mine) if (0)
      add_one(&mine);
#pragma omp task shared(mine) depend(out : children)
      add_one(&mine);
#pragma omp taskwait
      CHECK_EQ(mine, 3);
      add_one(&children);
    }
#pragma omp taskwait
    CHECK_EQ(children, 1);
    add_one(&ended);
  }
  CHECK_EQ(ended, kTasks);
}

/* Data of any size are the task's own. */
#define COPIED(size)                                         \
  do {                                                       \
    struct {                                                 \
      unsigned char bytes[size];                             \
    } data;                                                  \
    memset(&data, i, sizeof data);                           \
    PRAGMA(omp task firstprivate(data) shared(sum)) {        \
      int all = 0;                                           \
      for (int b = 0; b < (size); b++) all += data.bytes[b]; \
      memset(&data, 0x7f, sizeof data);                      \
      __atomic_fetch_add(&sum, all, __ATOMIC_RELAXED);       \
    }                                                        \
    CHECK_EQ(data.bytes[(size) - 1], i);                     \
  } while (0)

/* clang has no copies of arrays of variable length. */
#ifdef __clang__
static void copy_any_length(int length, long* sum) {
  __atomic_fetch_add(sum, (long)length * (length - 1) / 2, __ATOMIC_RELAXED);
}
#else
static void copy_any_length(int length, long* sum) {
  int array[length];
  for (int k = 0; k < length; k++) array[k] = k;
#pragma omp task firstprivate(array)
  {
    int all = 0;
    for (int k = 0; k < length; k++) all += array[k];
    __atomic_fetch_add(sum, all, __ATOMIC_RELAXED);
  }
#pragma omp taskwait
}
#endif

static void copies(void) {
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; i++) {
    COPIED(1);
    COPIED(16);
    COPIED(56);
    COPIED(64);
    COPIED(72);
    COPIED(500);
    copy_any_length(i + 1, &sum);
#pragma omp taskwait
  }
  CHECK_EQ(sum, 99 * 50 * (1 + 16 + 56 + 64 + 72 + 500) + 166650);
}

/* After the cancellation no task of the group begins. */
static void cancelled_tree_of(int levels, const int* stop, int* ran_after) {
  if (load(stop)) add_one(ran_after);
  if (levels == 0) return;
#pragma omp task
  cancelled_tree_of(levels - 1, stop, ran_after);
#pragma omp task
  cancelled_tree_of(levels - 1, stop, ran_after);
}

/* In a team of one, the task that cancels is the last one of the group to begin. */
static void cancelled_tree(void) {
  if (!omp_get_cancellation()) return;
#pragma omp parallel num_threads(1)
  {
    int stop = 0, ran_after = 0;
#pragma omp taskgroup
    {
      cancelled_tree_of(4, &stop, &ran_after);
#pragma omp task shared(stop) if (0)
      {
        store(&stop, 1);
#pragma omp cancel taskgroup
      }
      cancelled_tree_of(4, &stop, &ran_after);
    }
    CHECK_EQ(ran_after, 1); /* the call, which is no task */
  }
}

static void reductions(void) {
  long sum = 0, product = 0;
#pragma omp parallel reduction(task, + : sum)
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
#pragma omp task in_reduction(+ : sum)
    sum += i;
  }
  CHECK_EQ(sum, kTasks * (kTasks - 1) / 2);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : product)
  for (int i = 0; i < kTasks; i++) {
#pragma omp task in_reduction(+ : product)
    {
#pragma omp task in_reduction(+ : product)
      product += 2 * i;
    }
  }
  CHECK_EQ(product, kTasks * (kTasks - 1));
}

/* Outside of regions, in the region of one thread, in nested ones. */
static void everywhere(void) {
  CHECK_EQ(descend(100), 100);
#pragma omp parallel num_threads(2)
  {
    CHECK_EQ(descend(100), 100);
#pragma omp task
#pragma omp parallel num_threads(2)
    CHECK_EQ(descend(100), 100);
#pragma omp taskyield
#pragma omp taskwait
  }
}

int main(void) {
  CHECK_BEGIN();
  RUN(everywhere);
  RUN(final_tasks);
  RUN(settings);
  RUN(children_outlive);
  RUN(waits_for_children);
  RUN(copies);
  RUN(cancelled_tree);
  RUN(reductions);
  RUN(deep_recursion);
  return check_end();
}
