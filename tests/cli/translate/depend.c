struct point {
  double x, y;
};

void chain(int n, double* a, struct point from) {
#pragma omp taskgroup
  for (int i = 1; i < n; i++) {
#pragma omp task depend(in : a[i - 1]) depend(inout : a[i : 2]) priority(i)
    a[i] += a[i - 1] * from.x;
  }
#pragma omp taskwait depend(in : a[n - 1])
}
