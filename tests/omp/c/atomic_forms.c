/* SPDX-License-Identifier: Apache-2.0
 * Forms of atomic that compilers came to have late: compare with all that it can capture, fail and
 * weak; bit-fields; objects without an instruction of the processor's. */
#include "check.h"

enum { kEach = 50 };

static void least_and_most(void) {
  int least = 1000, most = -1, seen = 0;
  double least_real = 1000;
  const int n = omp_get_max_threads();
#pragma omp parallel for reduction(+ : seen)
  for (int i = 0; i < n * kEach; i++) {
    const int number = (i * 7) % (n * kEach);
    int found;
#pragma omp atomic compare
    least = number < least ? number : least;
#pragma omp atomic compare seq_cst
    if (most < number) {
      most = number;
    }
#pragma omp atomic compare
    if (least_real > number) {
      least_real = number;
    }
#pragma omp atomic compare capture acq_rel
    {
      found = most;
      if (number > most) {
        most = number;
      }
    }
    seen += found >= number;
#pragma omp atomic compare capture
    {
      most = most < number ? number : most;
      found = most;
    }
    CHECK(found >= number);
  }
  CHECK_EQ(least, 0);
  CHECK_EQ(most, n * kEach - 1);
  CHECK(least_real == 0);
  CHECK_EQ(seen, n * kEach);
}

/* A lock, and a counter, of compare and swap. */
static void swaps(void) {
  long counter = 0;
  int lock = 0, guarded = 0, failures = 0;
#pragma omp parallel reduction(+ : failures)
  for (int i = 0; i < kEach; i++) {
    long found;
#pragma omp atomic read
    found = counter;
    while (1) {
      const long expected = found;
      int done;
#pragma omp atomic compare capture weak fail(relaxed) acq_rel
      {
        done = counter == expected;
        if (done) {
          counter = expected + 1;
        } else {
          found = counter;
        }
      }
      if (done) break;
      CHECK(found != expected);
      failures++;
    }
    int taken = 0;
    while (!taken) {
#pragma omp atomic compare capture seq_cst fail(acquire)
      {
        taken = lock == 0;
        if (taken) {
          lock = 1;
        }
      }
      if (!taken) sched_yield();
    }
    guarded++;
#pragma omp atomic write release
    lock = 0;
  }
  CHECK_EQ(counter, (long)kEach * omp_get_max_threads());
  CHECK_EQ(guarded, kEach * omp_get_max_threads());
  CHECK(failures >= 0);
  int value = 4, missed = 0;
#pragma omp atomic compare capture
  if (value == 5) {
    value = 6;
  } else {
    missed = value;
  }
  CHECK_EQ(missed, 4);
  const double zero = 0.0;
  double minus = -0.0;
#pragma omp atomic compare
  if (minus == zero) {
    minus = 3;
  }
  CHECK(minus == 3);
  unsigned char byte = 44;
  const int wide = 300;
#pragma omp atomic compare
  if (byte == wide) {
    byte = 1;
  }
  CHECK_EQ(byte, 44);
}

static void bit_fields(void) {
  static struct {
    unsigned a : 5, b : 11;
    long long c : 40;
  } bits;
  const int n = omp_get_max_threads();
  int kept = 0;
#pragma omp parallel reduction(+ : kept)
  for (int i = 0; i < kEach; i++) {
    int before, after;
#pragma omp atomic
    bits.a++;
#pragma omp atomic update
    bits.c += 1000000;
#pragma omp atomic capture
    {
      before = bits.b;
      bits.b = bits.b + 3;
    }
    CHECK(before < 2048);
#pragma omp atomic capture
    after = bits.a ^= 32;
    kept += after < 32;
#pragma omp atomic compare
    if (bits.b == 4000) {
      bits.b = 0;
    }
  }
  CHECK_EQ(kept, n * kEach);
  CHECK_EQ(bits.a, n * kEach % 32);
  CHECK_EQ(bits.b, n * kEach * 3 % 2048);
  long long c;
#pragma omp atomic read
  c = bits.c;
  CHECK_EQ(c, 1000000LL * n * kEach);
#pragma omp atomic write
  bits.a = (unsigned)n + 32 - (unsigned)n + 1;
  CHECK_EQ(bits.a, 1);
}

static void without_instructions(void) {
  static long double large;
  static __int128 huge = -1;
  static double _Complex complex_sum;
  static _Atomic int counted;
  int low;
  const int n = omp_get_max_threads();
#pragma omp parallel
  for (int i = 0; i < kEach; i++) {
    long double found;
#pragma omp atomic compare capture
    {
      found = large;
      if (large < i) {
        large = i;
      }
    }
    CHECK(found < kEach);
#pragma omp atomic compare
    huge = huge < i ? i : huge;
#pragma omp atomic
    complex_sum += 1;
#pragma omp atomic
    counted += 2;
#pragma omp atomic
    counted *= 1;
  }
  CHECK(large == kEach - 1);
  CHECK(huge == kEach - 1);
  CHECK(complex_sum == n * kEach);
  CHECK_EQ(counted, 2 * n * kEach);
  /* The object that is read is large, the other one is not. */
#pragma omp atomic read
  low = large;
  CHECK_EQ(low, kEach - 1);
}

int main(void) {
  CHECK_BEGIN();
  RUN(least_and_most);
  RUN(swaps);
  RUN(bit_fields);
  RUN(without_instructions);
  return check_end();
}
