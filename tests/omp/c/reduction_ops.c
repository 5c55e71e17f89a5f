/* SPDX-License-Identifier: Apache-2.0
 * reduction: every operator on every kind of type, array sections, several items at once, on
 * parallel, for, sections, nested; nowait. */
#include <complex.h>
#include <float.h>
#include <limits.h>

#include "check.h"

enum { kCount = 100 };

#define ARITHMETIC(T, name)                                                       \
  static void name(void) {                                                        \
    T sum = 3, product = 1, difference = 5, least = 100, most = -1 + (T)2;        \
    int all = 1, any = 0;                                                         \
    PRAGMA(omp parallel for reduction(+ : sum) reduction(* : product)                \
           reduction(- : difference) reduction(min : least) reduction(max : most)    \
           reduction(&& : all) reduction(|| : any))                               \
    for (int i = 1; i <= 20; i++) {                                               \
      sum += (T)1;                                                                \
      if (i <= 5) product *= (T)2;                                                \
      difference -= (T)i < (T)4 ? (T)1 : (T)0;                                    \
      if ((T)i < least) least = (T)i;                                             \
      if ((T)i > most) most = (T)i;                                               \
      all = all && i > 0;                                                         \
      any = any || i == 13;                                                       \
    }                                                                             \
    CHECK(sum == (T)23);                                                          \
    CHECK(product == (T)32);                                                      \
    CHECK(difference == (T)2);                                                    \
    CHECK(least == (T)1);                                                         \
    CHECK(most == (T)20);                                                         \
    CHECK(all == 1);                                                              \
    CHECK(any == 1);                                                              \
  }

ARITHMETIC(signed char, in_char)
ARITHMETIC(unsigned char, in_unsigned_char)
ARITHMETIC(short, in_short)
ARITHMETIC(unsigned short, in_unsigned_short)
ARITHMETIC(int, in_int)
ARITHMETIC(unsigned, in_unsigned)
ARITHMETIC(long, in_long)
ARITHMETIC(unsigned long long, in_unsigned_long_long)
ARITHMETIC(float, in_float)
ARITHMETIC(double, in_double)
ARITHMETIC(long double, in_long_double)
ARITHMETIC(__int128, in_int128)

static void in_complex(void) {
  double _Complex sum = 1, product = 1;
  float _Complex small = 0;
#pragma omp parallel for reduction(+ : sum, small) reduction(* : product)
  for (int i = 0; i < kCount; i++) {
    sum += i + 2.0 * I;
    small += 1.0f * I;
    if (i < 4) product *= I;
  }
  CHECK(creal(sum) == 4951 && cimag(sum) == 200);
  CHECK(crealf(small) == 0 && cimagf(small) == 100);
  CHECK(creal(product) == 1 && cimag(product) == 0);
}

static void bitwise(void) {
  unsigned and_bits = ~0u, or_bits = 0x100, xor_bits = 5;
  unsigned long long and_wide = ~0ull, or_wide = 0;
  unsigned char xor_byte = 0;
#pragma omp parallel for reduction(& : and_bits, and_wide) reduction(| : or_bits, or_wide) \
    reduction(^ : xor_bits, xor_byte)
  for (int i = 0; i < 64; i++) {
    if (i < 8) {
      and_bits &= ~(1u << i);
      or_bits |= 1u << i;
      xor_bits ^= 1u << i;
      xor_byte ^= (unsigned char)(1 << i);
    }
    and_wide &= ~(1ull << i) | 1;
    or_wide |= 1ull << i;
  }
  CHECK_EQ(and_bits, ~0xffu);
  CHECK_EQ(or_bits, 0x1ff);
  CHECK_EQ(xor_bits, 5 ^ 0xff);
  CHECK_EQ(xor_byte, 0xff);
  CHECK(and_wide == 1);
  CHECK(or_wide == ~0ull);
}

static void extremes(void) {
  int least = INT_MAX, most = INT_MIN;
  double lowest = DBL_MAX, highest = -DBL_MAX;
#pragma omp parallel reduction(min : least, lowest) reduction(max : most, highest)
  {
    least = -omp_get_thread_num();
    most = omp_get_thread_num();
    lowest = omp_get_thread_num() + 0.5;
    highest = omp_get_thread_num() + 0.5;
  }
  int n = omp_get_max_threads();
  CHECK_EQ(least, 1 - n);
  CHECK_EQ(most, n - 1);
  CHECK(lowest == 0.5);
  CHECK(highest == n - 0.5);
}

static void arrays(void) {
  int plain[10] = {0};
  long* heap = calloc(64, sizeof *heap);
  double matrix[4][8] = {{0}};
  int n = 64;
#pragma omp parallel for reduction(+ : plain, heap[0 : n], matrix[1 : 2][ : ])
  for (int i = 0; i < 640; i++) {
    plain[i % 10]++;
    heap[i % 64] += i;
    matrix[1 + i % 2][i % 8] += 0.5;
  }
  for (int i = 0; i < 10; i++) CHECK_EQ(plain[i], 64);
  for (int i = 0; i < 64; i++) {
    long want = 0;
    for (int k = i; k < 640; k += 64) want += k;
    CHECK_EQ(heap[i], want);
  }
  for (int i = 0; i < 8; i++) {
    CHECK(matrix[0][i] == 0 && matrix[3][i] == 0);
    CHECK(matrix[1 + i % 2][i] == 40);
  }
  free(heap);
}

static void on_parallel(void) {
  int n = omp_get_max_threads(), sum = 10, product = 1;
#pragma omp parallel reduction(+ : sum) reduction(* : product)
  {
    sum += omp_get_thread_num();
    if (omp_get_thread_num() < 3) product *= 3;
  }
  CHECK_EQ(sum, 10 + n * (n - 1) / 2);
  CHECK_EQ(product, n >= 3 ? 27 : n == 2 ? 9 : 3);
}

static void on_sections(void) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp sections reduction(+ : sum)
    {
      sum += 1;
#pragma omp section
      sum += 10;
#pragma omp section
      sum += 100;
    }
    CHECK_EQ(sum, 111);
  }
#pragma omp parallel sections reduction(+ : sum)
  {
#pragma omp section
    sum += 1000;
#pragma omp section
    sum += 2000;
  }
  CHECK_EQ(sum, 3111);
}

static void nowait(void) {
  int first = 0, second = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : first) nowait schedule(dynamic)
    for (int i = 0; i < kCount; i++) first += i;
#pragma omp for reduction(+ : second) nowait schedule(static)
    for (int i = 0; i < kCount; i++) second += 2 * i;
#pragma omp barrier
    CHECK_EQ(first, 4950);
    CHECK_EQ(second, 9900);
  }
}

/* The original is reduced into repeatedly, by teams of teams. */
static void nested(void) {
  int outer = min_int(omp_get_max_threads(), 5), sum = 0;
  omp_set_max_active_levels(2);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(outer) reduction(+ : sum)
    {
#pragma omp parallel for num_threads(2) reduction(+ : sum)
      for (int i = 0; i < 10; i++) sum += i;
    }
  }
  CHECK_EQ(sum, 3 * outer * 45);
}

int main(void) {
  CHECK_BEGIN();
  RUN(in_char);
  RUN(in_unsigned_char);
  RUN(in_short);
  RUN(in_unsigned_short);
  RUN(in_int);
  RUN(in_unsigned);
  RUN(in_long);
  RUN(in_unsigned_long_long);
  RUN(in_float);
  RUN(in_double);
  RUN(in_long_double);
  RUN(in_int128);
  RUN(in_complex);
  RUN(bitwise);
  RUN(extremes);
  RUN(arrays);
  RUN(on_parallel);
  RUN(on_sections);
  RUN(nowait);
  RUN(nested);
  return check_end();
}
