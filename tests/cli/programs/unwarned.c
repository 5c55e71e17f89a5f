/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing to warn of in C of 1989, unless SHADOWS is defined. */
int loop(const int* a, int n);
int tree(int n);
void cells(int n, double* a);
int loop(const int* a, int n) {
  int i, s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic)
  for (i = 0; i < n; i++) s += a[i];
  return s;
}
int tree(int n) {
  int x, y;
  if (n < 2) return n;
#pragma omp task shared(x)
  x = tree(n - 1);
#pragma omp task shared(y)
  y = tree(n - 2);
#pragma omp taskwait
#ifdef SHADOWS
  {
    int n = 1;
    x += n;
  }
#endif
  return x + y;
}
void cells(int n, double* a) {
  int i;
#pragma omp parallel private(i)
  {
#pragma omp single
    for (i = 1; i < n; i++) {
#pragma omp task depend(in : a[i - 1]) depend(inout : a[i]) firstprivate(i)
      a[i] += a[i - 1];
    }
#pragma omp critical
    a[0] += 1;
#pragma omp for simd
    for (i = 0; i < n; i++) a[i] *= 2;
  }
}
