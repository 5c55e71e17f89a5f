// Variables whose values follow from the iteration, and the last one that is assigned.
int last_even(int n, const int* a, int* squares) {
  int at = 0;
  int found = -1;
#pragma omp parallel for linear(at : 2) lastprivate(conditional : found)
  for (int i = 0; i < n; i++) {
    squares[at] = a[i] * a[i];
    at += 2;
    if (a[i] % 2 == 0) found = a[i];
  }
  return found + at;
}

// A polynomial.
double polynomial(int n, const double* a, double x) {
  double power = 1;
  double sum = 0;
#pragma omp parallel for induction(step(x), * : power) reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    sum += a[i] * power;
    power *= x;
  }
  return sum;
}
