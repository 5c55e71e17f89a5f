/* SPDX-License-Identifier: Apache-2.0
 *
 * With KMP_DETERMINISTIC_REDUCTION sums are rounded in the same way in each run. Run with it.
 */
#include "check.h"
#include "kmp/kmp_direct.h"

enum { kRounds = 40, kMaxThreads = 256 };

/* Addends whose sum is rounded differently in every order. */
static double addend(int i) {
  double value = 1.0 / (3 + i);
  for (int k = 0; k < (i * 7) % 30; k++) value *= 4;
  return i % 3 == 1 ? -value : value;
}

/* Adds the addends to `sum` in the order of the threads' numbers. */
static double in_order(double sum, int threads) {
  for (int i = 0; i < threads; i++) sum += addend(i);
  return sum;
}

/* A thread with a larger number arrives earlier. */
static void dawdle(void) {
  for (volatile int i = (omp_get_num_threads() - omp_get_thread_num()) * 200; i > 0; i--) {
  }
}

static void of_parallel(void) {
  double first = 0;
  for (int round = 0; round < kRounds; round++) {
    double sum = 0.1;
#pragma omp parallel reduction(+ : sum)
    {
      dawdle();
      sum += addend(omp_get_thread_num());
    }
    if (round == 0) first = sum;
    CHECK(sum == first);
    if (on_bobbin()) CHECK(sum == in_order(0.1, omp_get_max_threads()));
  }
}

/* Threads may be several constructs apart. */
static void of_loops(void) {
  int threads = omp_get_max_threads();
  for (int round = 0; round < kRounds; round++) {
    double a = 0.1, b = 0.2, c = 0.3;
#pragma omp parallel
    {
#pragma omp for schedule(static, 1) reduction(+ : a) nowait
      for (int i = 0; i < threads; i++) a += addend(i);
#pragma omp for schedule(static, 1) reduction(+ : b) nowait
      for (int i = 0; i < threads; i++) {
        dawdle();
        b += addend(i);
      }
#pragma omp for schedule(dynamic, 1) nowait
      for (int i = 0; i < threads; i++) dawdle();
#pragma omp for schedule(static, 1) reduction(+ : c)
      for (int i = 0; i < threads; i++) c += addend(i);
    }
    if (on_bobbin()) {
      CHECK(a == in_order(0.1, threads));
      CHECK(b == in_order(0.2, threads));
      CHECK(c == in_order(0.3, threads));
    }
  }
}

static int came[kMaxThreads];
static int number_came;

/* Whatever method the compiler offers by atomic operations. */
static void of_calls(void) {
  static Ident place = {0, 2 | kAtomicReduction, 0, 0, ";;;0;0;;"};
  static CriticalName name;
  for (int round = 0; round < kRounds; round++) {
    number_came = 0;
#pragma omp parallel
    {
      int32_t me = __kmpc_global_thread_num(&place);
      int32_t method = __kmpc_reduce(&place, me, 1, sizeof(void*), NULL, NULL, &name);
      CHECK_EQ(method, 1);
      came[number_came++] = omp_get_thread_num();
      __kmpc_end_reduce(&place, me, &name);
      CHECK_EQ(number_came, omp_get_num_threads());
    }
    for (int i = 0; i < number_came; i++) CHECK_EQ(came[i], i);
  }
}

int main(void) {
  CHECK_BEGIN();
  omp_set_dynamic(0);
  RUN(of_parallel);
  RUN(of_loops);
  if (on_bobbin()) RUN(of_calls);
  return check_end();
}
