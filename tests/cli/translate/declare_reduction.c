typedef struct {
  double value;
  int place;
} largest;
#pragma omp declare reduction(max:largest : omp_out =                              \
                                  omp_in.value > omp_out.value ? omp_in : omp_out) \
    initializer(omp_priv = {-1.0, -1})

int place_of_largest(int n, const double* a) {
  largest found = {-1.0, -1};
#pragma omp parallel for reduction(max : found)
  for (int i = 0; i < n; i++) {
    if (a[i] > found.value) found = (largest){a[i], i};
  }
  return found.place;
}
