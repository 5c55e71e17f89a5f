/* SPDX-License-Identifier: Apache-2.0
 * How a job ends whose tasks wait for messages that never come: `abort` or `kill` on rank 1. */
#include <mpi.h>
#include <signal.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
      {
        int value;
        if (rank == 1 && i == 3) {
          if (strcmp(argv[1], "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 37);
          raise(SIGKILL);
        }
        /* On the plain library two of these keep both threads. */
        if (rank == 0 || argc > 2) {
          MPI_Recv(&value, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
      }
    }
  }
  MPI_Finalize();
  return 0;
}
