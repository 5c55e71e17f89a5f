/* SPDX-License-Identifier: Apache-2.0
 *
 * Two ranks exchange short messages.
 *
 *   mpirun -n 2 messages latency           ping-pong outside of parallel regions: us a message
 *   mpirun -n 2 messages latency-single    the same, by a program that asks for MPI_THREAD_SINGLE
 *   mpirun -n 2 messages latency-in-task   the same in a task
 *   mpirun -n 2 messages rate TASKS        so many tasks play ping-pong at the same time
 *   mpirun -n 2 messages rate-of-threads   each thread of a region plays, as without tasks
 *
 * Latency is that of the fastest batch of 200 messages, which other processes have not disturbed.
 * Each message carries a number, which is checked. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRounds = 20000, kBatch = 100 };

static int rank, wrong;
static double fastest = 1e9;

static void play(int tag, int rounds) {
  const int other = 1 - rank;
  for (int i = 0; i < rounds; i++) {
    int out = tag * kRounds + i, in = -1;
    if (rank == 0) MPI_Send(&out, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&in, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
    if (in != out) __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
  }
}

static void play_batches(void) {
  for (int i = 0; i < kRounds / kBatch; i++) {
    const double begin = MPI_Wtime();
    play(1, kBatch);
    const double seconds = MPI_Wtime() - begin;
    if (seconds < fastest) fastest = seconds;
  }
}

int main(int argc, char** argv) {
  int provided, size;
  const char* way = argc > 1 ? argv[1] : "latency";
  const int single = strcmp(way, "latency-single") == 0;
  MPI_Init_thread(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) MPI_Abort(MPI_COMM_WORLD, 2);
  int players = 1, rounds = kRounds;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (strcmp(way, "latency") == 0 || single) {
    play_batches();
  } else if (strcmp(way, "latency-in-task") == 0) {
#pragma omp parallel
#pragma omp single
#pragma omp task
    play_batches();
  } else if (strcmp(way, "rate") == 0) {
    players = argc > 2 ? atoi(argv[2]) : 64;
    rounds = kRounds / players;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < players; i++) {
#pragma omp task firstprivate(i)
      play(i, rounds);
    }
  } else {
    players = omp_get_max_threads();
    rounds = kRounds / players;
#pragma omp parallel
    play(omp_get_thread_num(), rounds);
  }
  double seconds = MPI_Wtime() - begin;
  double messages = 2.0 * players * rounds;
  if (fastest < seconds) {
    seconds = fastest;
    messages = 2.0 * kBatch;
  }
  if (rank == 0) {
    printf("metric=message value=%.4f unit=us way=%s\n", 1e6 * seconds / messages, way);
    puts(wrong ? "check=failed what=\"a message is wrong\"" : "check=ok");
  }
  MPI_Finalize();
  return wrong;
}
