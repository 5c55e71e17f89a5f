int find(int n, const int* a, int wanted) {
  int found = -1;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
      if (a[i] == wanted) {
        found = i;
#pragma omp cancel for
      }
    }
#pragma omp cancel parallel if (found < 0)
#pragma omp barrier
  }
  return found;
}
