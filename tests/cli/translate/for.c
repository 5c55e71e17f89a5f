void fill(int n, int m, double a[n][m]) {
#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(guided, 4) nowait
    for (int i = 0; i < n; i++)
      for (int j = m - 1; j >= 0; j -= 2) a[i][j] = i;
#pragma omp for schedule(static)
    for (double* p = a[0]; p != a[1]; ++p) *p += 1;
  }
}
