void histogram(int n, const int* keys, double* counts, int rows[][4], double weights[n]) {
  long hits = 0;
#pragma omp parallel for reduction(+ : counts[1 : n], rows[ : 2][ : 4]) reduction(task, + : hits)
  for (int i = 0; i < n; i++) {
    counts[keys[i]] += 1;
    rows[keys[i] % 2][0]++;
#pragma omp task in_reduction(+ : hits) firstprivate(i)
    hits += i;
  }
#pragma omp taskgroup task_reduction(max : hits)
#pragma omp taskloop reduction(+ : weights[0 : n]) in_reduction(max : hits)
  for (int i = 0; i < n; i++) {
    weights[keys[i]] += counts[i];
    if (hits < i) hits = i;
  }
}
