static int shared_one, own, *own_pointer, shared_two[2];
#pragma omp threadprivate(own, own_pointer)
int next(void) {
  static int calls;
#pragma omp threadprivate(calls)
#pragma omp parallel copyin(calls)
  calls += own + (own_pointer == &own) + shared_one + shared_two[1];
  return calls;
}

int count_both(void) {
  static int rounds, *place = &rounds, calls[2] = {1, 2}, shared = 3;
#pragma omp threadprivate(calls)
#pragma omp parallel copyin(calls)
  calls[1] += *place + shared;
  return calls[1];
}
