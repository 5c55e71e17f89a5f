// Iterations that wait for others.
void wavefront(int n, int a[n][n]) {
#pragma omp for ordered(2)
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      a[i][j] += a[i - 1][j] + a[i][j - 1];
#pragma omp ordered depend(source)
    }
}

void chain(int n, int* a) {
#pragma omp for ordered(1) schedule(dynamic)
  for (int i = n - 1; i >= 0; i--) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
    a[i] += a[i + 1];
#pragma omp ordered doacross(source:)
  }
}
