/* SPDX-License-Identifier: Apache-2.0
 * Many more tasks that wait for messages than threads, all of them begun before the first message
 * is sent. It ends only if a task that waits does not keep its thread. */
#include <mpi.h>
#include <stdio.h>

enum { kTasks = 200 };

int main(int argc, char** argv) {
  int provided, rank, size, wrong = 0;
  static int got[kTasks];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
      {
        MPI_Recv(&got[i], 1, MPI_INT, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        /* The answer comes only if the task of the other rank has gone on. */
        MPI_Ssend(&got[i], 1, MPI_INT, from, kTasks + i, MPI_COMM_WORLD);
      }
    }
    for (int i = kTasks; i-- > 0;) {
#pragma omp task firstprivate(i)
      {
        int value = 10 * i + rank, answer;
        MPI_Ssend(&value, 1, MPI_INT, to, i, MPI_COMM_WORLD);
        MPI_Recv(&answer, 1, MPI_INT, to, kTasks + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (answer != value) {
#pragma omp atomic
          wrong++;
        }
      }
    }
  }
  for (int i = 0; i < kTasks; i++) wrong += got[i] != 10 * i + from;
  if (wrong != 0) fprintf(stderr, "rank %d: %d messages are wrong\n", rank, wrong);
  MPI_Finalize();
  return wrong != 0;
}
