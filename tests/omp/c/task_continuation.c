/* SPDX-License-Identifier: Apache-2.0
 *
 * The continuations of untied tasks, which other threads may take at every scheduling point. Run
 * with BOBBIN_TASK_POLICY=creation=continuation, where that happens. The results are right under
 * any policy.
 */
#include "check.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { kStacksAreExchanged = 0 };
#else
enum { kStacksAreExchanged = 1 };
#endif

/* A child waits for an action of its parent that follows it: another thread must do that. */
static void parent_goes_on_elsewhere(void) {
  if (!on_bobbin() || !kStacksAreExchanged || omp_get_max_threads() == 1) return;
  for (int round = 0; round < 20; round++) {
    int rest_has_run = 0, maker = -1, child = -1, rest = -1, after_wait = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(rest_has_run, maker, child, rest, after_wait)
    {
      maker = omp_get_thread_num();
#pragma omp task untied shared(rest_has_run, child)
      {
        child = omp_get_thread_num();
        while (!load(&rest_has_run)) {
        }
      }
      rest = omp_get_thread_num();
      store(&rest_has_run, 1);
#pragma omp taskwait
      after_wait = load(&rest_has_run);
    }
    CHECK_EQ(child, maker);
    CHECK(rest != maker);
    CHECK_EQ(after_wait, 1);
  }
}

static long fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task untied shared(a)
  a = fib(n - 1);
#pragma omp task untied shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void recursion_of_two(void) {
  for (int round = 0; round < 3; round++) {
    long result = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(result)
    result = fib(17);
    CHECK_EQ(result, 1597);
  }
}

/* A tree that grows randomly, in which tasks of all kinds make each other. */
static unsigned next_chance(unsigned seed, unsigned child) {
  unsigned x = seed * 2654435761u + child * 40503u + 12345u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ (x >> 13);
}

static int chance_of_tree(unsigned seed, int depth) {
  return depth < 4 ? 4 : depth > 40 ? 0 : seed % 100 < 48 ? 2 : 0;
}

static long size_of_tree(unsigned seed, int depth) {
  long size = 1;
  int children = chance_of_tree(seed, depth);
  for (int i = 0; i < children; i++) size += size_of_tree(next_chance(seed, i), depth + 1);
  return size;
}

static void untied_node(unsigned seed, int depth, int* count);

static void tied_node(unsigned seed, int depth, int* count) {
  int thread = omp_get_thread_num();
  int children = chance_of_tree(seed, depth);
  for (int i = 0; i < children; i++) {
    unsigned next = next_chance(seed, i);
    if (next % 3 == 0) {
#pragma omp task firstprivate(next, depth, count)
      tied_node(next, depth + 1, count);
    } else {
#pragma omp task untied firstprivate(next, depth, count)
      untied_node(next, depth + 1, count);
    }
    CHECK_EQ(omp_get_thread_num(), thread);
  }
  if (seed % 2 == 0) {
#pragma omp taskwait
    CHECK_EQ(omp_get_thread_num(), thread);
  }
  add_one(count);
}

static void untied_node(unsigned seed, int depth, int* count) {
  int children = chance_of_tree(seed, depth);
  int mine = 0;
  for (int i = 0; i < children; i++) {
    unsigned next = next_chance(seed, i);
    switch (next % 5) {
      case 0:
#pragma omp task firstprivate(next, depth, count)
        tied_node(next, depth + 1, count);
        break;
      case 1:
#pragma omp task untied if (0) firstprivate(next, depth, count)
        untied_node(next, depth + 1, count);
        break;
      case 2: {
        int below = 0;
#pragma omp taskgroup
        {
#pragma omp task untied firstprivate(next, depth) shared(below)
          untied_node(next, depth + 1, &below);
#pragma omp taskyield
#pragma omp taskwait
        }
        __atomic_add_fetch(count, load(&below), __ATOMIC_RELAXED);
        break;
      }
      case 3:
#pragma omp task untied firstprivate(next, depth, count) shared(mine)
      {
        untied_node(next, depth + 1, count);
        add_one(&mine);
      }
#pragma omp taskwait
        CHECK(load(&mine) > 0);
        break;
      default:
#pragma omp task untied firstprivate(next, depth, count)
        untied_node(next, depth + 1, count);
    }
  }
#pragma omp taskwait
  add_one(count);
}

static void tree_of_all_kinds(void) {
  for (unsigned seed = 1; seed <= 6; seed++) {
    int count = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task untied shared(count) firstprivate(seed)
      {
#pragma omp taskgroup
        untied_node(seed, 0, &count);
      }
    }
    CHECK_EQ(count, size_of_tree(seed, 0));
  }
}

static long count_tree(unsigned seed, int depth) {
  long parts[4] = {0};
  int children = chance_of_tree(seed, depth);
  for (int i = 0; i < children; i++) {
#pragma omp task untied shared(parts) firstprivate(i, seed, depth)
    parts[i] = count_tree(next_chance(seed, i), depth + 1);
  }
#pragma omp taskwait
  return 1 + parts[0] + parts[1] + parts[2] + parts[3];
}

static void check_sizes(long (*count)(unsigned seed, int depth)) {
  for (unsigned seed = 1; seed <= 6; seed++) {
    long size = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(size)
    size = count(seed, 0);
    CHECK_EQ(size, size_of_tree(seed, 0));
  }
}

static void unbalanced_tree(void) { check_sizes(&count_tree); }

/* Tied and untied tasks alternate. A tied one never changes its thread. */
static long count_in_turn(unsigned seed, int depth, int tied) {
  long parts[4] = {0};
  int children = chance_of_tree(seed, depth);
  int thread = omp_get_thread_num();
  for (int i = 0; i < children; i++) {
    if (tied || i % 2 == 0) {
#pragma omp task untied shared(parts) firstprivate(i, seed, depth)
      parts[i] = count_in_turn(next_chance(seed, i), depth + 1, 0);
    } else {
#pragma omp task shared(parts) firstprivate(i, seed, depth)
      parts[i] = count_in_turn(next_chance(seed, i), depth + 1, 1);
    }
    if (tied) CHECK_EQ(omp_get_thread_num(), thread);
  }
#pragma omp taskwait
  if (tied) CHECK_EQ(omp_get_thread_num(), thread);
  return 1 + parts[0] + parts[1] + parts[2] + parts[3];
}

static long count_from_untied(unsigned seed, int depth) { return count_in_turn(seed, depth, 0); }

static void tied_and_untied(void) { check_sizes(&count_from_untied); }

static void count_in_groups(int depth, int* done) {
  int below = 0, nodes = (1 << depth) - 1;
  if (depth == 0) return;
#pragma omp taskgroup
  {
    for (int i = 0; i < 2; i++) {
#pragma omp task untied shared(below)
      count_in_groups(depth - 1, &below);
    }
  }
  CHECK_EQ(load(&below), nodes - 1);
  __atomic_add_fetch(done, load(&below) + 1, __ATOMIC_ACQ_REL);
}

/* The end of a group also waits for descendants, and for nothing outside of it. */
static void nested_groups(void) {
  int done = 0, outside = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task untied shared(done, outside)
    {
#pragma omp task untied shared(outside)
      add_one(&outside);
      count_in_groups(9, &done);
      CHECK_EQ(load(&done), 511);
#pragma omp taskwait
      CHECK_EQ(load(&outside), 1);
    }
  }
}

/* These are in functions, because clang 19 crashes at some loops in a taskgroup of an untied
 * task. */
static void make_orphans(int* ran) {
#pragma omp taskgroup
  for (int i = 0; i < 8; i++) {
#pragma omp task untied
    {
#pragma omp task untied
      {
#pragma omp task
        add_one(ran);
        add_one(ran);
      }
      add_one(ran);
    }
  }
  CHECK_EQ(load(ran), 24);
}

/* A group's end waits for grandchildren for which no other construct has waited. */
static void groups_of_orphans(void) {
  for (int round = 0; round < 20; round++) {
    int ran = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(ran)
    make_orphans(&ran);
  }
}

static void begin_and_end(int* begun, int* ended) {
  add_one(begun);
  add_one(ended);
}

/* A task that has begun continues to its end, in any thread. */
static void begin_two(int* begun, int* ended) {
  add_one(begun);
#pragma omp task untied
  begin_and_end(begun, ended);
  add_one(ended);
}

static void make_cancelled_group(int* begun, int* ended, int* outside) {
#pragma omp task untied
  add_one(outside);
#pragma omp taskgroup
  for (int i = 0; i < 200; i++) {
#pragma omp task untied firstprivate(i)
    {
      begin_two(begun, ended);
      if (i == 20) {
#pragma omp cancel taskgroup
      }
#pragma omp cancellation point taskgroup
    }
  }
  CHECK_EQ(load(begun), load(ended));
}

static void cancelled_group(void) {
  if (!omp_get_cancellation()) return;
  for (int round = 0; round < 20; round++) {
    int begun = 0, ended = 0, outside = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(begun, ended, outside)
    make_cancelled_group(&begun, &ended, &outside);
    CHECK_EQ(begun, ended);
    CHECK(begun >= 1);
    CHECK_EQ(outside, 1);
  }
}

static void reduce(int depth, long* sum) {
  long* target = sum;
#pragma omp taskgroup
  for (int i = 0; i < 2 && depth > 0; i++) {
#pragma omp task untied firstprivate(depth, target)
    reduce(depth - 1, target);
  }
  __atomic_add_fetch(target, 1, __ATOMIC_RELAXED);
}

static void add_thrice(int i, long* sum, long* others) {
  int thread = omp_get_thread_num();
  for (int k = 0; k < 3; k++) {
    *sum += i;
#pragma omp task untied
    reduce(2, others);
    CHECK_EQ(omp_get_thread_num(), thread);
  }
#pragma omp taskwait
  CHECK_EQ(omp_get_thread_num(), thread);
  ++*sum;
}

static void add_in_group(long* others) {
  long sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < 50; i++) {
#pragma omp task untied in_reduction(+ : sum) firstprivate(i)
    add_thrice(i, &sum, others);
  }
  CHECK_EQ(sum, 3 * 49 * 50 / 2 + 50);
}

/* Tasks that take part in a reduction keep using their thread's copy. */
static void task_reduction(void) {
  for (int round = 0; round < 20; round++) {
    long others = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(others)
    add_in_group(&others);
    CHECK_EQ(others, 50 * 3 * 7);
  }
}

static int descend(int levels) {
  int below = 0;
  if (levels == 0) return 0;
#pragma omp task untied shared(below)
  below = descend(levels - 1);
#pragma omp taskwait
  return below + 1;
}

/* As deep as UTS T3L. A sanitizer cannot remember a call stack of so many frames, and
 * makes them large. */
static void deep_recursion(void) {
  const int depth = kStacksAreExchanged ? 17844 : 1000;
  int levels = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(levels)
  levels = descend(depth);
  CHECK_EQ(levels, depth);
}

/* Waits for some of the children, by dependences. */
static void dependences(void) {
  for (int round = 0; round < 20; round++) {
    int x = 0, y = 0, free = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(x, y, free)
    {
      for (int i = 0; i < 4; i++) {
#pragma omp task untied depend(inout : x) shared(x)
        x = x * 2 + 1;
#pragma omp task untied shared(free)
        add_one(&free);
      }
#pragma omp taskwait depend(in : x)
      CHECK_EQ(x, 15);
#pragma omp task untied depend(out : y) shared(y)
      y = 7;
#pragma omp task untied if (0) depend(in : y) shared(y)
      CHECK_EQ(y, 7);
#pragma omp taskloop untied grainsize(1) shared(free)
      for (int i = 0; i < 10; i++) add_one(&free);
#pragma omp taskwait
      CHECK_EQ(load(&free), 14);
    }
  }
}

/* The data environment moves with the task: ICVs, the final attribute, private variables. */
static void data_environment(void) {
  int most = omp_get_max_threads();
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; round++) {
#pragma omp task untied firstprivate(round)
    {
      int mine[16], level = omp_get_level();
      for (int i = 0; i < 16; i++) mine[i] = round + i;
      omp_set_num_threads(round + 3);
      for (int i = 0; i < 16; i++) {
#pragma omp task untied firstprivate(mine, i) firstprivate(round)
        {
          CHECK_EQ(mine[i], round + i);
          CHECK_EQ(omp_get_max_threads(), round + 3);
          omp_set_num_threads(1);
#pragma omp task untied final(1)
          CHECK(omp_in_final());
        }
        CHECK_EQ(omp_get_max_threads(), round + 3);
        CHECK_EQ(mine[i], round + i);
        mine[i] = -1;
        CHECK(!omp_in_final());
      }
#pragma omp taskwait
      CHECK_EQ(omp_get_max_threads(), round + 3);
      CHECK_EQ(omp_get_level(), level);
    }
  }
  CHECK_EQ(omp_get_max_threads(), most);
}

/* A task that forks, and then continues. */
static void regions_within(void) {
  int inside = 0, tasks = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task untied shared(inside, tasks)
    {
#pragma omp task untied shared(tasks)
      add_one(&tasks);
#pragma omp parallel num_threads(2)
      {
        add_one(&inside);
#pragma omp single
#pragma omp task untied shared(tasks)
        {
#pragma omp task untied shared(tasks)
          add_one(&tasks);
          add_one(&tasks);
        }
      }
#pragma omp task untied shared(tasks)
      add_one(&tasks);
#pragma omp taskwait
    }
  }
  CHECK(inside == 16 || inside == 8);
  CHECK_EQ(tasks, 32);
}

/* One thread makes many tasks for which it does not wait. */
static void one_producer(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp single nowait
  for (int i = 0; i < 5000; i++) {
#pragma omp task untied shared(ran)
    {
#pragma omp task untied shared(ran)
      add_one(&ran);
      add_one(&ran);
    }
  }
  CHECK_EQ(ran, 10000);
}

/* All threads make some tasks, and pass barriers with them. */
static void barriers(void) {
  int ran = 0, threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int round = 1; round <= 5; round++) {
      for (int i = 0; i < 4; i++) {
#pragma omp task untied shared(ran)
        {
#pragma omp task untied shared(ran)
          add_one(&ran);
          add_one(&ran);
        }
      }
#pragma omp barrier
      CHECK_EQ(load(&ran), round * 8 * threads);
#pragma omp barrier
    }
  }
}

#ifndef GAP_moved_group
static void spend(double seconds) {
  for (double until = omp_get_wtime() + seconds; omp_get_wtime() < until;) {
  }
}

/* A task has moved to another thread since it opened a group, and stays there. It waits there. */
static void moved_group(void) {
  for (int round = 0; round < 5; round++) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(sum)
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task untied in_reduction(+ : sum)
      {
        spend(0.03);
        sum += 1;
      }
      spend(0.001);
#pragma omp target in_reduction(+ : sum)
      sum += 1;
    }
    CHECK_EQ(sum, 2);
  }
}
#endif

int main(void) {
  CHECK_BEGIN();
  RUN(parent_goes_on_elsewhere);
  RUN(recursion_of_two);
  RUN(tree_of_all_kinds);
  RUN(unbalanced_tree);
  RUN(tied_and_untied);
  RUN(nested_groups);
  RUN(groups_of_orphans);
  RUN(cancelled_group);
  RUN(task_reduction);
  RUN(deep_recursion);
  RUN(dependences);
#ifndef GAP_moved_group
  RUN(moved_group);
#endif
  RUN(data_environment);
  RUN(regions_within);
  RUN(one_producer);
  RUN(barriers);
  return check_end();
}
