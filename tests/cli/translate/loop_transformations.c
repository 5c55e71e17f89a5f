// Loops that are made of others.
void transpose(int n, double a[n][n], double b[n][n]) {
#pragma omp for collapse(2)
#pragma omp tile sizes(8, 8)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = b[j][i];
}

void backwards(int n, double* a) {
#pragma omp reverse
  for (int i = 0; i < n - 1; i++) a[i + 1] = a[i];
}

void both(int n, double* a, double* b) {
#pragma omp fuse
  {
    for (int i = 0; i < n; i++) a[i] = 0;
    for (int i = 0; i < 9; i++) b[i] = 1;
  }
}
