// SPDX-License-Identifier: Apache-2.0
// Statements between collapsed loops (OpenMP 5.2, section 4.4.1).
#include <stdio.h>

enum { N = 10, M = 16 };
static int row[N], cell[N][M], column[N], total;

static int after_continue(int odd) {
  int seen[N] = {0}, bodies = 0;
#pragma omp parallel for collapse(2) reduction(+ : bodies)
  for (int i = 0; i < N; i++) {
    const int twice = 2 * i;
    for (int j = 0; j < M; j++) {
      if (j % 2 == odd) continue;
      bodies += twice == 2 * i;
    }
#pragma omp atomic write
    seen[i] = 1;
  }
  for (int i = 0; i < N; i++) bodies += seen[i];
  return bodies != N * M / 2 + N;
}

int main(void) {
  int bad = 0;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < N; i++) {
    row[i] = i;
    for (int j = 0; j < M; j++) cell[i][j] = i + j;
  }
#pragma omp parallel
#pragma omp for collapse(3) reduction(+ : total)
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++) {
      int sum = i + j;
      for (int k = 0; k < M; k++) total += sum + k;
    }
#pragma omp atomic write
    column[i] = i;
  }
  int expected = 0;
  for (int i = 0; i < N; i++) {
    bad += row[i] != i || column[i] != i;
    for (int j = 0; j < M; j++) bad += cell[i][j] != i + j;
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < M; k++) expected += i + j + k;
  }
  bad += total != expected;
#pragma omp simd collapse(2)
  for (int i = 0; i < N; i++) {
    row[i] = 2 * i;
    for (int j = 0; j < M; j++) cell[i][j] = i - j;
  }
  for (int i = 0; i < N; i++) bad += row[i] != 2 * i || cell[i][3] != i - 3;
  bad += after_continue(0) + after_continue(1);
  puts(bad ? "failed" : "passed");
  return bad != 0;
}
