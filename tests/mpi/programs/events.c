/* SPDX-License-Identifier: Apache-2.0
 * Detached tasks whose events are bound to requests, as predecessors of other tasks. */
#include <bobbin/mpi.h>
#include <stdio.h>

enum { kTasks = 100, kWords = 3 };

static int in[kTasks][kWords], out[kTasks][kWords], sums[kTasks];
static MPI_Status statuses[kTasks][2];

int main(int argc, char** argv) {
  int rank, size, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
    omp_event_handle_t event;
#pragma omp task firstprivate(i) detach(event) depend(out : in[i])
    {
      MPI_Request requests[2];
      MPI_Irecv(in[i], kWords, MPI_INT, from, i, MPI_COMM_WORLD, &requests[0]);
      for (int j = 0; j < kWords; j++) out[i][j] = 100 * rank + i + j;
      MPI_Isend(out[i], kWords, MPI_INT, to, i, MPI_COMM_WORLD, &requests[1]);
      if (bobbin_mpi_iwaitall(2, requests, statuses[i], event) != MPI_SUCCESS) {
        fprintf(stderr, "iwaitall has failed\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
      }
      if (requests[0] != MPI_REQUEST_NULL || requests[1] != MPI_REQUEST_NULL) {
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
    }
#pragma omp task firstprivate(i) depend(in : in[i])
    for (int j = 0; j < kWords; j++) sums[i] += in[i][j];
    omp_event_handle_t none;
#pragma omp task firstprivate(i) detach(none) depend(inout : in[i])
    {
      MPI_Request request = MPI_REQUEST_NULL;
      bobbin_mpi_iwait(&request, MPI_STATUS_IGNORE, none);
    }
  }
  for (int i = 0; i < kTasks; i++) {
    int count;
    MPI_Get_count(&statuses[i][0], MPI_INT, &count);
    wrong += sums[i] != kWords * (100 * from + i) + 3 || count != kWords ||
             statuses[i][0].MPI_SOURCE != from || statuses[i][0].MPI_TAG != i ||
             statuses[i][0].MPI_ERROR != MPI_SUCCESS;
  }
  if (wrong != 0) fprintf(stderr, "rank %d: %d tasks are wrong\n", rank, wrong);
  MPI_Finalize();
  return wrong != 0;
}
