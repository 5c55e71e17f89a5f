/* SPDX-License-Identifier: Apache-2.0
 * The main function of one of MPICH's tests, called in a task that may block. */
#include <stddef.h>

int main_of_test(int argc, char** argv);
void bobbin_let_tasks_block(int (*poll)(void));

int main(int argc, char** argv) {
  int result = 0;
  bobbin_let_tasks_block(NULL); /* the layer does this in MPI_Init, which is too late here */
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(result)
  result = main_of_test(argc, argv);
  return result;
}
