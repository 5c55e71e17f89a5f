#pragma omp requires atomic_default_mem_order(acq_rel) unified_shared_memory
#pragma omp begin assumes no_openmp_routines
int half(int n, const char* reason, int* calls) {
  int copy;
#pragma omp atomic read
  copy = *calls;
#pragma omp parallel
  {
    if (n % 2 != 0) {
#pragma omp error at(execution) severity(warning) message(reason)
    }
#pragma omp nothing
#pragma omp assume holds(n > 0) no_parallelism absent(parallel, for)
    {
#pragma omp atomic
      *calls += n / 2;
    }
  }
  if (copy < 0) {
#pragma omp error at(execution)
  }
  return copy;
}
#pragma omp end assumes
