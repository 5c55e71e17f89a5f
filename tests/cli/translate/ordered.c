void write(int n, void (*line)(int)) {
#pragma omp parallel for ordered
  for (int i = 0; i < n; i++) {
#pragma omp ordered
    line(i);
  }
}
