// SPDX-License-Identifier: Apache-2.0
// Tasks that wait for messages that never come.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int provided;
  int rank;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("process %d\n", (int)getpid());
  fflush(stdout);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 3; i++) {
#pragma omp task
      {
        int got;
        MPI_Recv(&got, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // receive
      }
    }
#pragma omp task
    {
      MPI_Request request;
      int got;
      MPI_Irecv(&got, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);  // wait
    }
#pragma omp task
    {
#pragma omp task
      {
        MPI_Probe(1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // probe
        sleep(0);
      }
#pragma omp taskwait  // taskwait
      sleep(0);
    }
  }
  MPI_Finalize();
  return 0;
}
