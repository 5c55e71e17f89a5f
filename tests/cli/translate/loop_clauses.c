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

#pragma omp declare_induction(twice : (long, int)) inductor(omp_var += 2 * omp_step) \
    collector(omp_step*(int)omp_idx)

void number(int n, long* numbers) {
  long at = 1;
#pragma omp parallel for simd induction(step(5), twice : at)
  for (int i = 0; i < n; i++) numbers[i] = at;
}
