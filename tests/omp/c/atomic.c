/* SPDX-License-Identifier: Apache-2.0
 * atomic: read, write, update, capture and compare on every size, including those without a machine
 * instruction (long double, 16 bytes), with every memory order. */
#include <sched.h>

#include "check.h"

enum { kEach = 40 };

#define EVERY_FORM(T, name)                                    \
  static void name(void) {                                     \
    static T sum, flag, box, spare;                            \
    int n = omp_get_max_threads(), each = n > 16 ? 3 : kEach;  \
    int* seen = calloc((size_t)n * each + 1, sizeof *seen);    \
    int small = sizeof(T) == 1 || n * each > 100;              \
    sum = 0;                                                   \
    flag = 1;                                                  \
    PRAGMA(omp parallel)                                       \
    for (int i = 0; i < each; i++) {                           \
      T before, value;                                         \
      PRAGMA(omp atomic capture) {                             \
        before = sum;                                          \
        sum += 1;                                              \
      }                                                        \
      if (!small) add_one(&seen[(long)before]);                \
      PRAGMA(omp atomic write)                                 \
      box = (T)(omp_get_thread_num() % 50);                    \
      PRAGMA(omp atomic read)                                  \
      value = box;                                             \
      CHECK(value < (T)50);                                    \
      PRAGMA(omp atomic update seq_cst)                        \
      spare = spare + 1;                                       \
      PRAGMA(omp atomic)                                       \
      spare -= 1;                                              \
      PRAGMA(omp atomic update relaxed)                        \
      flag = 1 + flag;                                         \
      PRAGMA(omp atomic capture acq_rel)                       \
      value = flag += 1;                                       \
      (void)value;                                             \
    }                                                          \
    CHECK(flag == (T)(1 + 2 * n * each));                      \
    CHECK(sum == (T)(n * each));                               \
    CHECK(spare == 0);                                         \
    if (!small)                                                \
      for (int i = 0; i < n * each; i++) CHECK_EQ(seen[i], 1); \
    free(seen);                                                \
  }

EVERY_FORM(signed char, in_char)
EVERY_FORM(unsigned short, in_short)
EVERY_FORM(int, in_int)
EVERY_FORM(unsigned long, in_long)
EVERY_FORM(float, in_float)
EVERY_FORM(double, in_double)
EVERY_FORM(long double, in_long_double)
EVERY_FORM(__int128, in_int128)

static void operators(void) {
  int n = omp_get_max_threads();
  unsigned bits_and = ~0u, bits_or = 0, bits_xor = 0, shifted = 1u << 31;
  long double quotient = 1024;
  int difference = 10;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
#pragma omp atomic
    bits_and &= ~(1u << me % 32);
#pragma omp atomic
    bits_or |= 1u << me % 32;
#pragma omp atomic
    bits_xor ^= 1u;
    if (me < 8) {
#pragma omp atomic
      shifted >>= 1;
#pragma omp atomic
      quotient /= 2;
    }
#pragma omp atomic
    difference = me - difference;
  }
  unsigned mask = n >= 32 ? ~0u : (1u << n) - 1;
  CHECK_EQ(bits_and, ~mask);
  CHECK_EQ(bits_or, mask);
  CHECK_EQ(bits_xor, n % 2);
  CHECK_EQ(shifted, (1u << 31) >> min_int(n, 8));
  long double want = 1024;
  for (int t = 0; t < min_int(n, 8); t++) want /= 2;
  CHECK(quotient == want);
}

/* Locations of different types at once must not corrupt one another. */
static void together(void) {
  static struct {
    char c;
    long double wide;
    short s;
    float f;
  } mixed;
  int n = omp_get_max_threads();
#pragma omp parallel
  {
    for (int i = 0; i < 30; i++) {
#pragma omp atomic
      mixed.wide += 0.5L;
#pragma omp atomic
      mixed.s++;
#pragma omp atomic
      mixed.f += 1;
    }
#pragma omp atomic
    mixed.c ^= 1;
  }
  CHECK(mixed.wide == 15.0L * n);
  CHECK_EQ(mixed.s, 30 * n);
  CHECK(mixed.f == 30.0f * n);
  CHECK_EQ(mixed.c, n % 2);
}

/* Release and acquire carry what was written before. */
static void ordering(void) {
  int data = 0, ready = 0, n = omp_get_max_threads();
  if (n < 2) return;
#pragma omp parallel shared(data, ready)
  {
    if (omp_get_thread_num() == 0) {
      data = 42;
#pragma omp atomic write release
      ready = 1;
    } else if (omp_get_thread_num() == 1) {
      int seen = 0;
      while (!seen) {
        sched_yield();
#pragma omp atomic read acquire
        seen = ready;
      }
      CHECK_EQ(data, 42);
    }
  }
}

static void compare(void) {
  int most = -1, winner = -1, wins = 0, n = omp_get_max_threads();
  long double widest = -1;
#pragma omp parallel
  {
    int me = omp_get_thread_num(), won = 0;
#pragma omp atomic compare
    if (most < me) {
      most = me;
    }
#pragma omp atomic compare capture
    {
      won = winner == -1;
      if (won) {
        winner = me;
      }
    }
    if (won) add_one(&wins);
#pragma omp atomic compare
    widest = widest < me ? me : widest;
  }
  CHECK_EQ(most, n - 1);
  CHECK_EQ(wins, 1);
  CHECK(widest == n - 1);
}

int main(void) {
  CHECK_BEGIN();
  RUN(in_char);
  RUN(in_short);
  RUN(in_int);
  RUN(in_long);
  RUN(in_float);
  RUN(in_double);
  RUN(in_long_double);
  RUN(in_int128);
  RUN(operators);
  RUN(together);
  RUN(ordering);
  RUN(compare);
  return check_end();
}
