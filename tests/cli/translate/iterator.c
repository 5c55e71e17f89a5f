typedef struct {
  void* words[2];
} omp_depend_t;

void gather(int n, double* a, int* from) {
  omp_depend_t all;
#pragma omp depobj(all) depend(inout : a[0])
#pragma omp task depend(iterator(i = 0 : n, long j = n : 0 : -2), in : a[from[i]], a[j]) \
    depend(depobj : all)
  a[0] += 1;
#pragma omp depobj(all) update(in)
#pragma omp taskwait depend(depobj : all)
#pragma omp depobj(all) destroy
  double sums[n];
  for (int i = 0; i < n; i++) sums[i] = a[i];
#pragma omp task firstprivate(sums) affinity(a[0 : n])
  a[0] = sums[n - 1];
}
