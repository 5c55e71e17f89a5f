// SPDX-License-Identifier: Apache-2.0
// Loops whose variables point to rows of variable length.
#include <stdio.h>

static int total(int rows, int n, int m[rows][n]) {
  int(*p)[n], s = 0;
#pragma omp parallel for reduction(+ : s)
  for (p = m; p < m + rows; p++) s += (*p)[0];
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 2)
  for (p = m + rows - 1; p >= m; p -= 2) s += 100 * (*p)[0];
#pragma omp parallel
#pragma omp for lastprivate(p) reduction(+ : s)
  for (p = m; p != m + rows; ++p) s += (*p)[0];
  s += p == m + rows;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
  for (p = m; p < m + rows; p++) (*p)[1] = 7;
#pragma omp for simd
  for (p = m; p < m + rows; p++) (*p)[2] = 5;
#pragma omp teams distribute parallel for
  for (p = m; p < m + rows; p++) (*p)[3] = 6;
#pragma omp simd
  for (p = m; p < m + rows; p++) (*p)[4] = 8;
#pragma omp target teams loop
  for (p = m; p < m + rows; p++) (*p)[5] = 9;
#pragma omp parallel for collapse(2)
  for (p = m; p < m + rows; p++)
    for (int j = 6; j < n; j++) (*p)[j] = j;
  for (int i = 0; i < rows; i++) {
    s += m[i][1] == 7 && m[i][2] == 5 && m[i][3] == 6 && m[i][4] == 8 && m[i][5] == 9;
    for (int j = 6; j < n; j++) s += m[i][j] == j;
  }
  return s;
}

int main(void) {
  int m[6][9] = {0};
  for (int i = 0; i < 6; i++) m[i][0] = 1;
  const int s = total(6, 9, m);
  if (s != 6 + 300 + 6 + 1 + 6 + 18) return printf("failed: %d\n", s), 1;
  puts("passed");
  return 0;
}
