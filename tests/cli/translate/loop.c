void clear(int n, int* a) {
#pragma omp parallel
#pragma omp loop
  for (int i = 0; i < n; i++) a[i] = 0;
}
