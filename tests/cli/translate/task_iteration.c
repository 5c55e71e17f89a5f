void waves(int n, int rows, float a[rows][n]) {
#pragma omp taskloop grainsize(strict : 4) nogroup priority(1)
  for (int i = 1; i < n; i++) {
#pragma omp task_iteration depend(inout : a[0][i]) \
    depend(in : a[0][i - 4]) if (i % 4 == 0 || i == n - 1)
    a[0][i] += a[0][i - 1];
  }
#pragma omp taskloop collapse(2) shared(a)
  for (int i = 1; i < rows; i++) {
    for (int j = 1; j < n; j++) {
#pragma omp task_iteration depend(iterator(k = 0 : 2), in : a[i - k][j]) affinity(a[i][j])
      a[i][j] += a[i - 1][j];
    }
  }
}
