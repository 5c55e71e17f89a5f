static long total;

void add(int value) {
  int seen;
#pragma omp critical(totals)
  total += value;
#pragma omp atomic seq_cst
  total += value;
#pragma omp atomic capture acquire
  seen = total++;
#pragma omp atomic read
  seen = total;
#pragma omp atomic write
  total = seen * 2;
#pragma omp flush
}
