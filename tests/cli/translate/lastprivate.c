int last(int n) {
  int value, i;
#pragma omp parallel for lastprivate(value, i) schedule(dynamic)
  for (i = 0; i < n; i++) value = 2 * i;
  return value + i;
}
