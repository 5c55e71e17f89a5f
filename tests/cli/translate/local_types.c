int longest(int n) {
  struct pair {
    int left;
    struct pair* next;
  } all[2] = {{1, &all[1]}, {2, 0}};
  enum { kNone, kSome = 4 } state = kSome;
  typedef int row_t[n];
  int sum = 0;
#pragma omp parallel reduction(+ : sum) firstprivate(state)
  {
    struct pair* first = &all[0];
    row_t row;
    row[0] = state == kNone ? 0 : first->left;
    sum += row[0];
  }
  return sum;
}
