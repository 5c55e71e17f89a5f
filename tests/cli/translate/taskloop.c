void step(int n, float* a) {
#pragma omp taskloop grainsize(strict : 100) nogroup
  for (int i = 0; i < n; i += 3) a[i] = 0;
}
