// SPDX-License-Identifier: Apache-2.0
// Arguments of clauses that are constant expressions, and constant steps.
#include <stdio.h>

enum { dims = 3, one = 1 };
static int a[64];

static int tiled(void) {
  int n = 0;
#pragma omp tile sizes(dims + 1, 2u)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) n += i * j;
#pragma omp unroll partial(dims - 1)
  for (int i = 0; i < 4; i++) n++;
#pragma omp interchange permutation(one + 1, one)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) n++;
  return n;
}

int main(void) {
  enum { two = 2 };
  int n = 0;
#pragma omp parallel for collapse(dims - 1) reduction(+ : n)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) n++;
#pragma omp parallel for collapse(two) reduction(+ : n)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) n++;
#pragma omp parallel for collapse(2u) reduction(+ : n)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) n++;
#pragma omp parallel for ordered(1 + 1)
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
#pragma omp ordered depend(sink : i - 1, j)
      a[8 * i + j] = i == 0 ? 1 : a[8 * (i - 1) + j] + 1;
#pragma omp ordered depend(source)
    }
  for (int i = 0; i < 64; i++) n += a[i] == i / 8 + 1;
  n += tiled();
  if (n != 3 * 16 + 64 + 36 + 4 + 16) return printf("failed: %d\n", n), 1;

  int i, steps = 0;
  int* p;
#pragma omp parallel for reduction(+ : steps)
  for (i = 0; i != 16; i += 2) steps++;
#pragma omp parallel for reduction(+ : steps)
  for (i = 16; i != 0; i -= dims + 1) steps++;
#pragma omp parallel for reduction(+ : steps)
  for (i = 16; i != 0; i += -4) steps++;
#pragma omp parallel for reduction(+ : steps)
  for (i = 0; i != 16; i = (1) + i) steps++;
#pragma omp parallel for reduction(+ : steps)
  for (p = a + 64; p != a; p -= 8) steps += *(p - 1) == (p - a) / 8;
  if (steps != 8 + 4 + 4 + 16 + 8) return printf("failed: %d steps\n", steps), 1;
  puts("passed");
  return 0;
}
