void saxpy(int n, float a, const float* x, float* y) {
#pragma omp parallel for simd safelen(16)
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}

#pragma omp declare simd uniform(limit)
int cut(int value, int limit) { return value < limit ? value : limit; }

int steps(int n, int m, int a[n][m]) {
  int step = 1, sum = 0;
#pragma omp simd collapse(2) linear(step : 2) reduction(+ : sum)
  for (int i = 0; i < n; i++)
    for (int j = m - 1; j >= 0; j--) {
      sum += a[i][j] * step;
      step += 2;
    }
  return sum + step;
}
