// SPDX-License-Identifier: Apache-2.0
// The bounds of a loop are firstprivate variables of a combined construct.
#include <stdio.h>
int u[100];
void one(long a, long b) {
#pragma omp target teams distribute parallel for firstprivate(a, b)
  for (long d = a; d < b; d++) u[d]++;
}
void two(long a, long b) {
#pragma omp target teams
#pragma omp distribute parallel for firstprivate(a, b)
  for (long d = a; d < b; d++) u[d]++;
}
void three(long a, long b) {
#pragma omp target teams distribute firstprivate(a, b)
  for (long d = a; d < b; d++) u[d]++;
}
void four(long a, long b) {
#pragma omp teams distribute parallel for simd firstprivate(a, b)
  for (long d = a; d < b; d++) u[d]++;
}
void five(long a, long b) {
#pragma omp parallel for firstprivate(a, b)
  for (long d = a; d < b; d++) u[d]++;
}
int main(void) {
  one(0, 100), two(0, 100), three(0, 100), four(0, 100), five(0, 100);
  for (int i = 0; i < 100; i++)
    if (u[i] != 5) return printf("wrong: %d at %d\n", u[i], i), 1;
  puts("passed");
}
