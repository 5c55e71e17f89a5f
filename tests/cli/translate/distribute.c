int scale(int n, double* a) {
  int last = -1;
#pragma omp teams distribute parallel for num_teams(4) dist_schedule(static, 64) lastprivate(last)
  for (int i = 0; i < n; i++) {
    a[i] *= 2;
    last = i;
  }
  return last;
}
