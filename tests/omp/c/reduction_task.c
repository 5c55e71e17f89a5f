/* SPDX-License-Identifier: Apache-2.0
 * Task reductions of a parallel region, of worksharing regions, of a taskgroup and of a taskloop,
 * with in_reduction in tasks at any depth, for scalars, arrays and declared reductions. */
#include "check.h"

typedef struct {
  long sum;
  int count;
} Tally;
#pragma omp declare reduction(tally:Tally : omp_out.sum += omp_in.sum, \
                                  omp_out.count += omp_in.count)       \
    initializer(omp_priv = (Tally){0, 0})

static long tree(int depth) { return (1L << (depth + 1)) - 1; }

static long total;
static Tally totals;

static void grow(int depth) {
#pragma omp task in_reduction(+ : total) in_reduction(tally : totals)
  {
    total += 1;
    totals.sum += depth;
    totals.count++;
    if (depth > 0) {
      grow(depth - 1);
      grow(depth - 1);
    }
  }
}

static void of_parallel(void) {
  int n = omp_get_max_threads();
  total = 7;
  totals = (Tally){0, 0};
#pragma omp parallel reduction(task, + : total) reduction(task, tally : totals)
  {
    total += 100;
    if (omp_get_thread_num() % 16 == 0) grow(5);
#pragma omp barrier
#pragma omp task in_reduction(+ : total)
    total += 1000;
  }
  long trees = (n + 15) / 16;
  CHECK_EQ(total, 7 + 1100L * n + trees * tree(5));
  CHECK_EQ(totals.count, trees * tree(5));
}

static void of_parallel_for(void) {
  int array[12] = {0};
#pragma omp parallel for reduction(task, + : array) schedule(dynamic)
  for (int i = 0; i < 60; i++) {
    array[i % 12]++;
#pragma omp task in_reduction(+ : array)
    array[(i + 1) % 12] += 10;
  }
  for (int i = 0; i < 12; i++) CHECK_EQ(array[i], 55);
}

static volatile int loop_begin = 3;

#define OF_LOOP(name, clause, T)                                           \
  static void name(void) {                                                 \
    long sum = 1;                                                          \
    int least = 1000000;                                                   \
    T first = (T)loop_begin;                                               \
    PRAGMA(omp parallel) {                                                 \
      PRAGMA(omp for reduction(task, + : sum) reduction(task, min : least)   \
             schedule clause)                                              \
      for (T i = first; i < first + 40; i++) {                             \
        sum += (long)i;                                                    \
        PRAGMA(omp task in_reduction(+ : sum) in_reduction(min : least)) { \
          sum += 1000;                                                     \
          if ((int)i < least) least = (int)i;                              \
        }                                                                  \
      }                                                                    \
      CHECK_EQ(sum, 1 + 40 * 1000 + (3 + 42) * 20);                        \
      CHECK_EQ(least, 3);                                                  \
    }                                                                      \
  }

OF_LOOP(of_for_static, (static), int)
OF_LOOP(of_for_chunk, (static, 2), int)
OF_LOOP(of_for_dynamic, (dynamic), int)
OF_LOOP(of_for_guided, (guided, 2), int)
OF_LOOP(of_for_runtime, (runtime), int)
OF_LOOP(of_for_monotonic, (monotonic : dynamic), int)
OF_LOOP(of_ull_static, (static), unsigned long long)
OF_LOOP(of_ull_dynamic, (dynamic), unsigned long long)
OF_LOOP(of_ull_guided, (guided), unsigned long long)
OF_LOOP(of_ull_runtime, (runtime), unsigned long long)

static void of_ordered_for(void) {
  long sum = 0;
  int next = 0;
  unsigned long long first = (unsigned long long)loop_begin;
#pragma omp parallel
  {
#pragma omp for ordered reduction(task, + : sum) schedule(dynamic)
    for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
#pragma omp ordered
      CHECK_EQ(next++, i);
    }
    CHECK_EQ(sum, 190);
#pragma omp barrier
#pragma omp for ordered reduction(task, + : sum) schedule(static, 2)
    for (unsigned long long i = first; i < first + 20; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += (long)i;
#pragma omp ordered
      sum += 1;
    }
    CHECK_EQ(sum, 190 + 250 + 20);
  }
}

static void of_sections(void) {
  long sum = 0;
#pragma omp parallel
  {
#pragma omp sections reduction(task, + : sum)
    {
#pragma omp section
      {
#pragma omp task in_reduction(+ : sum)
        sum += 1;
        sum += 10;
      }
#pragma omp section
      {
#pragma omp task in_reduction(+ : sum)
        sum += 100;
      }
    }
    CHECK_EQ(sum, 111);
  }
}

static void of_scope(void) {
#ifndef GAP_of_scope
  int n = omp_get_max_threads();
  long sum = 0;
#pragma omp parallel
  {
#pragma omp scope reduction(task, + : sum)
    {
#pragma omp task in_reduction(+ : sum)
      sum += 5;
    }
    CHECK_EQ(sum, 5L * n);
  }
#endif
}

/* The end of an inner construct does not free the copies of the outer constructs. */
static void of_nested_scopes(void) {
#ifndef GAP_of_nested_scopes
  long sum = 0, product = 1, bits = 0;
#pragma omp parallel
  for (int turn = 0; turn < 10; turn++) {
#pragma omp scope reduction(task, + : sum)
    {
#pragma omp scope reduction(task, * : product)
      {
#pragma omp for reduction(task, | : bits)
        for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(* : product) in_reduction(| : bits)
          {
            sum += 5;
            if (turn % 4 == 0) product *= 2;
            bits |= 1L << i;
          }
        }
        void* other = memset(malloc(200), 0x5a, 200);
        free(other);
#pragma omp task in_reduction(+ : sum) in_reduction(* : product)
        {
          sum += 7;
          product *= 1;
        }
      }
#pragma omp task in_reduction(+ : sum)
      sum += 11;
    }
  }
  CHECK_EQ(sum, 10L * (8 * 5 + 18 * omp_get_max_threads()));
  CHECK_EQ(product, 1L << 24);
  CHECK_EQ(bits, 0xff);
#endif
}

static void of_taskgroup(void) {
  long sum = 3, product = 1;
  int* heap = calloc(8, sizeof *heap);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum, heap[0 : 8]) task_reduction(* : product)
    {
      for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : sum, heap[0 : 8]) firstprivate(i)
        {
          sum += i;
          heap[i % 8]++;
        }
        if (i % 10 == 0) {
#pragma omp task in_reduction(* : product)
          product *= 2;
        }
      }
#pragma omp taskloop in_reduction(+ : sum) num_tasks(5)
      for (int i = 0; i < 100; i++) sum += 1;
    }
    CHECK_EQ(sum, 3 + 49 * 25 + 100);
    CHECK_EQ(product, 32);
    for (int i = 0; i < 8; i++) CHECK_EQ(heap[i], i < 2 ? 7 : 6);
  }
  free(heap);
}

/* An inner taskgroup's reduction hides the outer one's. Each gets the right tasks. */
static void nested_taskgroups(void) {
  long outer = 0, inner_sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : outer)
  for (int i = 0; i < 6; i++) {
#pragma omp task in_reduction(+ : outer) shared(inner_sum)
    {
      long inner = 0;
#pragma omp taskgroup task_reduction(+ : inner)
      for (int k = 0; k < 4; k++) {
#pragma omp task in_reduction(+ : inner, outer)
        {
          inner += k;
          outer += 1;
        }
      }
      CHECK_EQ(inner, 6);
#pragma omp atomic
      inner_sum += inner;
      outer += 100;
    }
  }
  CHECK_EQ(outer, 624);
  CHECK_EQ(inner_sum, 36);
}

static void of_taskloop(void) {
  long sum = 0, most = -1;
  unsigned long long none = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : sum) reduction(max : most) grainsize(7)
    for (int i = 0; i < 200; i++) {
      sum += i;
      if (i > most) most = i;
    }
    CHECK_EQ(sum, 19900);
    CHECK_EQ(most, 199);
#pragma omp taskloop reduction(+ : sum)
    for (unsigned long long i = 0; i < none; i++) sum += 1000;
    CHECK_EQ(sum, 19900);
  }
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  omp_set_schedule(omp_sched_dynamic, 3);
  RUN(of_parallel);
  RUN(of_parallel_for);
  RUN(of_for_static);
  RUN(of_for_chunk);
  RUN(of_for_dynamic);
  RUN(of_for_guided);
  RUN(of_for_runtime);
  RUN(of_for_monotonic);
  RUN(of_ull_static);
  RUN(of_ull_dynamic);
  RUN(of_ull_guided);
  RUN(of_ull_runtime);
  RUN(of_ordered_for);
  RUN(of_sections);
  RUN(of_scope);
  RUN(of_nested_scopes);
  RUN(of_taskgroup);
  RUN(nested_taskgroups);
  RUN(of_taskloop);
  return check_end();
}
