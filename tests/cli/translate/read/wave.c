#include <math.h>
#include <stdio.h>

enum { kPoints = 1000, kSteps = 50 };
static double now[kPoints], before[kPoints], after[kPoints];

int main(void) {
  for (int i = 0; i < kPoints; i++) before[i] = now[i] = sin(M_PI * i / (kPoints - 1));
#pragma omp parallel
  for (int step = 0; step < kSteps; step++) {
#pragma omp for
    for (int i = 1; i < kPoints - 1; i++)
      after[i] = 2 * now[i] - before[i] + 0.1 * (now[i - 1] - 2 * now[i] + now[i + 1]);
#pragma omp for
    for (int i = 0; i < kPoints; i++) {
      before[i] = now[i];
      now[i] = after[i];
    }
  }
  printf("%.6f\n", now[kPoints / 2]);
}
