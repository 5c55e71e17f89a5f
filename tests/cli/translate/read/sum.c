#include <stdio.h>

static int sum_of_squares(int n) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 16)
  for (int i = 1; i <= n; i++) sum += i * i;
  return sum;
}

int main(void) { printf("%d\n", sum_of_squares(100)); }
