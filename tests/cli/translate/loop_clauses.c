void running(int n, const int* a, int* out) {
  int sum = 0;
#pragma omp simd reduction(inscan, + : sum)
  for (int i = 0; i < n; i++) {
    sum += a[i];
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
}

int last_below(int n, const int* a) {
  int last = -1;
#pragma omp parallel for lastprivate(conditional : last)
  for (int i = 0; i < n; i++) {
#pragma omp task shared(last)
    if (a[i] < 0) last = i;
#pragma omp taskwait
  }
  return last;
}

#pragma omp declare_induction(halve : (double, int)) inductor(omp_var /= omp_step) \
    collector(1 << (omp_step - 1) * omp_idx)

void weigh(int n, double* weights) {
  double weight = 1;
#pragma omp parallel for simd induction(step(2), halve : weight)
  for (int i = 0; i < n; i++) weights[i] = weight;
}
