void step(int n, double* values, int parts) {
  double sum = 0;
#pragma omp taskgroup task_reduction(+ : sum, values[0 : n])
  {
#pragma omp taskgraph graph_id(parts)
    for (int i = 0; i < parts; i++) {
#pragma omp task in_reduction(+ : sum, values[0 : n]) depend(inout : values[i])
      {
        values[i % n] += 1;
        sum += i;
      }
    }
  }
}
