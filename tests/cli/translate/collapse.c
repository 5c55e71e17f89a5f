// Loops of which the inner one depends on the outer one, and loops that do not.
void triangle(int n, double a[n][n]) {
#pragma omp for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j += 2) a[i][j] = 0;
}

void rectangle(int n, double a[n][n]) {
#pragma omp for collapse(2) nowait
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = 0;
}
