#include <stdio.h>

int main(void) {
  int read = 0, left = 0, right = 0, result = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : read)
    read = 21;
#pragma omp task depend(in : read) depend(inout : left)
    left += read;
#pragma omp task depend(in : read) depend(inout : right)
    right += read;
#pragma omp task depend(in : left, right) depend(out : result)
    result = left + right;
  }
  printf("%d\n", result);
}
