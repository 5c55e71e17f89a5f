// SPDX-License-Identifier: Apache-2.0
// Declarations of OpenMP's whose meaning depends on others of the file.
#include <stdio.h>

#pragma omp requires self_maps

// The structures are defined after the reduction is declared.
struct sum;
typedef union both both;
void add(struct sum* into, const struct sum* from);
void add_both(both* into, const both* from);
#pragma omp declare reduction(+ : struct sum : add(&omp_out, &omp_in))
#pragma omp declare reduction(+ : both : add_both(&omp_out, &omp_in))
typedef struct sum {
  int n;
} sum, *sums;
union both {
  int n;
  float f;
};
void add(struct sum* into, const struct sum* from) { into->n += from->n; }
void add_both(both* into, const both* from) { into->n += from->n; }

// What the initializer of a variable names that devices have, they have, too.
int a = 1, c = 2;
int* b = &a;
int** d = &b;
struct sums {
  int* first;
} nested = {.first = &c};
#pragma omp declare target to(d, nested)

int main(void) {
  sum s = {0};
  both t = {0};
#pragma omp parallel for reduction(+ : s) reduction(+ : t)
  for (int i = 0; i < 10; i++) s.n += i, t.n += 2 * i;
  int same = 0;
#pragma omp target map(from : same)
  same = *d == &a && nested.first == &c;
  int x = 1;
#pragma omp target data map(tofrom : x) nogroup
#pragma omp target map(self : x)
  x++;
#pragma omp assume no_openmp_constructs
  x++;
#pragma omp target map(always tofrom : x)
  x = 2;
  if (s.n != 45 || t.n != 90 || !same || x != 2) return puts("failed"), 1;
  puts("passed");
  return 0;
}
