/* SPDX-License-Identifier: Apache-2.0
 * C of all kinds in regions: types that are declared in the function around, arrays whose length is
 * computed, bit-fields, complex numbers, statement expressions, typeof, _Generic, labels. */
#include <complex.h>
#include <stdint.h>

#include "check.h"

static void named_types(void) {
  struct pair {
    int left;
    struct inner {
      char tag;
    } in;
    struct pair* next;
  };
  typedef struct pair pair_t, *pair_pointer;
  enum color { kRed = 3, kGreen, kBlue = kGreen * 2 };
  union both {
    int i;
    float f;
  } u = {.i = 0};
  pair_t p = {1, {'x'}, NULL};
  pair_pointer link = &p;
  enum color c = kBlue;
  int sum = 0;
#pragma omp parallel reduction(+ : sum) firstprivate(p) firstprivate(u)
  {
    struct pair own = p;
    enum color mine = c == kBlue ? kGreen : kRed;
    pair_t copies[kGreen];
    struct inner in = {'y'};
    for (int i = 0; i < kGreen; i++) copies[i] = own;
    u.i = (int)sizeof(pair_t);
    own.next = link;
    sum += copies[1].left + own.next->left + (mine == kGreen) + (in.tag == 'y') +
           (u.i == (int)sizeof(struct pair));
  }
  CHECK_EQ(sum, 5 * omp_get_max_threads());
  switch (c) {
    case kBlue:
      break;
    case kRed:
    case kGreen:
      CHECK(0);
  }
  CHECK_EQ(p.in.tag, 'x');
}

/* The same names as above, for other types. */
static void types_without_names(void) {
  struct {
    int a : 5;
    unsigned b : 3;
    int rest[];
  }* flexible = calloc(1, sizeof *flexible + 4 * sizeof(int));
  struct {
    double x, y;
  } __attribute__((aligned(32))) point = {1, 2}, other;
  typedef struct {
    int left;
  } pair_t;
  enum { kRed = 11 } only = kRed;
  pair_t p = {kRed};
  flexible->a = -3;
  flexible->rest[3] = 4;
#pragma omp parallel num_threads(2) private(other)
  {
    other = point;
    CHECK_EQ((uintptr_t)&other % 32, 0);
    CHECK_EQ(other.y, 2);
    CHECK_EQ(flexible->a + flexible->rest[3], 1);
    CHECK_EQ(only, kRed);
#pragma omp single
    {
#pragma omp task firstprivate(p, point)
      {
        struct {
          pair_t p;
        } nested = {p};
        CHECK_EQ(nested.p.left + (int)point.x, 12);
#pragma omp task
        CHECK_EQ(nested.p.left, 11);
#pragma omp taskwait
      }
    }
  }
  free(flexible);
}

static void computed_types(int n) {
  typedef int row_t[n];
  typedef double matrix_t[n][n + 1];
  row_t row;
  matrix_t matrix;
  row_t* rows = malloc(2 * sizeof(row_t));
  for (int i = 0; i < n; i++) row[i] = i;
#pragma omp parallel num_threads(3) firstprivate(row)
  {
    row_t own;
    memcpy(own, row, sizeof own);
    CHECK_EQ(sizeof(matrix_t), sizeof(double) * n * (n + 1));
    CHECK_EQ(own[n - 1], n - 1);
#pragma omp for
    for (int i = 0; i < n; i++) {
      matrix[i][n] = i;
      rows[1][i] = own[i];
    }
#pragma omp single
#pragma omp task
    {
      row_t again;
      again[n - 1] = n;
      CHECK_EQ(sizeof again / sizeof again[0], again[n - 1]);
    }
  }
  CHECK_EQ(matrix[n - 1][n], n - 1);
  CHECK_EQ(rows[1][n - 1], n - 1);
  free(rows);
}

#define KIND(x) _Generic((x), int: 1, double: 2, double _Complex: 3, default: 4)

static void expressions(void) {
  double _Complex z = 1 + 2 * I;
  int n = 3, sum = 0;
  _Atomic int counted = 0;
  __auto_type wide = 5LL;
#pragma omp parallel num_threads(n) reduction(+ : sum)
  {
    typeof(z) own = z * 2;
    int value = ({
      int once = n;
      once + 1;
    });
    sum += KIND(z) + KIND(n) + KIND(own) + (KIND((struct { int a; }){7}.a) == 1) + (value == 4);
    sum += (int)cimag(own) + (int)wide;
    counted++;
    if (sum > 0) goto end;
    sum = 0;
  end:
    sum += ((int[]){1, 2, n})[2];
  }
  CHECK_EQ(sum, 3 * (3 + 1 + 3 + 1 + 1 + 4 + 5 + 3));
  CHECK_EQ(counted, 3);
}

static int first_shared = 1, own_one = 2, *own_two = &first_shared, second_shared[2] = {3, 4};
#pragma omp threadprivate(own_one, own_two)

static int counts(void) {
  static int calls = 5;
#pragma omp threadprivate(calls)
  int total = 0;
#pragma omp parallel num_threads(3) copyin(calls) reduction(+ : total)
  {
    calls += omp_get_thread_num();
    total += calls;
  }
  return total + calls;
}

static const int kFactor = 3;

/* Shared variables, too. */
static void registers(register int n) {
  register int sum = 0, half = n / 2;
  register const int* pointer = &kFactor;
#pragma omp parallel shared(half, pointer)
  {
    register int own = 0;
#pragma omp for nowait
    for (register int i = 0; i < n; i++) own += half * *pointer;
#pragma omp critical
    sum += own;
  }
  CHECK_EQ(sum, n * half * kFactor);
}

static void threadprivates(void) {
  own_one = 7;
#pragma omp parallel num_threads(4) copyin(own_one)
  {
    CHECK_EQ(own_one, 7);
    own_one = omp_get_thread_num();
    if (omp_get_thread_num() == 3) first_shared = 9, second_shared[1] = 8;
#pragma omp barrier
    CHECK_EQ(own_one, omp_get_thread_num());
    CHECK_EQ(*own_two, 9);
  }
  CHECK_EQ(second_shared[0] + second_shared[1], 11);
  CHECK_EQ(counts(), 3 * 5 + 0 + 1 + 2 + 5);
}

int main(void) {
  CHECK_BEGIN();
  RUN(named_types);
  RUN(types_without_names);
  computed_types(6);
  RUN(expressions);
  registers(100);
  RUN(threadprivates);
  return check_end();
}
