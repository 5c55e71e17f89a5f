int counter;
#pragma omp threadprivate(counter)

double scale(int n, double* a, double factor) {
  double sum = 0;
#pragma omp parallel num_threads(4) if (n > 100) firstprivate(factor) reduction(+ : sum) \
    copyin(counter)
  {
    double share = 0;
    for (int i = 0; i < n; i++) share += factor * a[i];
    sum += share + counter;
  }
  return sum;
}
