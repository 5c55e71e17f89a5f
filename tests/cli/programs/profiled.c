// SPDX-License-Identifier: Apache-2.0
// Constructs of which the test knows what a profile must tell.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)  // the task
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static int tasks(void) {
  int result = 0;
#pragma omp parallel  // region of tasks
#pragma omp single
  result = fib(22);
  return result == 17711 ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (strcmp(argv[1], "tasks") == 0) return tasks();
  return 2;
}
