#pragma omp declare target
int calls;
#pragma omp end declare target
int others;

void double_all(int n, double* a, int device) {
  int done = 0;
  double factor = 2;
#pragma omp target map(tofrom : a[0 : n], done) device(device)
  {
    for (int i = 0; i < n; i++) a[i] *= factor;
    done = others + ++calls;
  }
#pragma omp target update from(a[0 : n]) if (done > 1)
#pragma omp target nowait depend(inout : a[0]) thread_limit(8)
  a[0] = factor;
#pragma omp taskwait
}

void total(int n, const double* a, double* sums) {
  double sum = 0;
#pragma omp taskgroup task_reduction(+ : sum, sums[0 : n])
  {
#pragma omp target nowait in_reduction(+ : sum, sums[0 : n])
    for (int i = 0; i < 10; i++) {
      sum += a[i];
      sums[i % n] += a[i];
    }
  }
}
