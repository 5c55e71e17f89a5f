int in_region(int x);
int in_loop(int x);
int dispatched(int x);
#pragma omp declare variant(in_region) match(construct = {parallel})
#pragma omp declare variant(in_loop) match(construct = {parallel, for })
#pragma omp declare variant(dispatched) match(construct = {dispatch})
int base(int x);
#pragma omp begin declare variant match(implementation = {vendor(bobbin)})
int special(int x) { return 7 * x; }
#pragma omp end declare variant
int special(int x);
int calls(int n, int plain) {
  int sum = base(special(1));
#pragma omp parallel reduction(+ : sum)
  {
    sum += base(2);
#pragma omp for nowait
    for (int i = 0; i < n; i++) sum += base(i);
  }
#pragma omp dispatch novariants(plain) depend(in : n)
  sum = base(n);
  return sum;
}
