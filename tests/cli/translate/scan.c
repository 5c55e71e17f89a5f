// Prefix sums.
int prefix_sums(int n, const int* in, int* out) {
  int sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < n; i++) {
    sum += in[i];
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
  return sum;
}
