/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauss-Seidel sweeps over a square plate, which is divided among the ranks by rows. A point needs
 * the new values above and on the left, and the old ones below and on the right. So a rank needs
 * the last row of the rank above it in the same step, and the first row of the rank below it in the
 * step before. All ways compute the same numbers:
 *
 *   mpi      one thread; halos are exchanged by blocks of columns, so the ranks form a pipeline
 *   loops    fork-join: halos are exchanged by whole rows between loops over diagonals of blocks
 *   tasks    a task for each block and each halo; tasks that receive and send block
 *   events   the same, with detached tasks whose events are bound to requests (bobbin/mpi.h)
 *
 *   mpirun -n RANKS heat WAY [STEPS [DELAY_US]]
 *
 * With a delay, rank 0 sleeps so long in each step, in the task or loop that computes its first
 * block. Each rank compares its rows with those of a serial sweep. */
#include <bobbin/mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma weak bobbin_mpi_iwait

enum { kSize = 1024, kBlock = 128, kColumns = kSize / kBlock, kWidth = kSize + 2 };

static int rank, ranks, rows, bands, steps = 100, delay_us;
static double* plate; /* [rows + 2][kWidth]; the first and the last row are halos, or the edge */
static char* order;   /* [bands + 2][kColumns + 2]: stands for the blocks in depend clauses */

#define ROW(i) (plate + (size_t)(i) * kWidth)
#define ORDER(band, column) order[(band) * (kColumns + 2) + (column)]

static void sweep(double* first, int height, int left, int width) {
  for (int i = 0; i < height; i++) {
    double* here = first + (size_t)i * kWidth + left;
    for (int j = 0; j < width; j++) {
      here[j] = 0.25 * (here[j - kWidth] + here[j - 1] + here[j + 1] + here[j + kWidth]);
    }
  }
}

/* Bands and columns count from 1. */
static void compute(int band, int column) {
  if (rank == 0 && band == 1 && column == 1 && delay_us > 0) usleep((unsigned)delay_us);
  sweep(ROW(1 + (band - 1) * kBlock), kBlock, 1 + (column - 1) * kBlock, kBlock);
}

static double* part(int row, int column) { return ROW(row) + 1 + (column - 1) * kBlock; }

static int has_above(void) { return rank > 0; }
static int has_below(void) { return rank < ranks - 1; }

/* Downwards with the column's number as tag, upwards with a larger one. */
static int down(int column) { return column; }
static int up(int column) { return kColumns + 1 + column; }

static void receive(int row, int from, int tag, int column) {
  MPI_Recv(part(row, column), kBlock, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(int row, int to, int tag, int column) {
  MPI_Send(part(row, column), kBlock, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
}

static void by_mpi(void) {
  for (int step = 0; step < steps; step++) {
    for (int c = 1; c <= kColumns; c++) {
      if (has_above()) receive(0, rank - 1, down(c), c);
      if (has_below() && step > 0) receive(rows + 1, rank + 1, up(c), c);
      for (int band = 1; band <= bands; band++) compute(band, c);
      if (has_below()) send(rows, rank + 1, down(c), c);
      if (has_above() && step < steps - 1) send(1, rank - 1, up(c), c);
    }
  }
}

static void whole_row(int row, int other, int tag, int sends) {
  if (sends) {
    MPI_Send(part(row, 1), kSize, MPI_DOUBLE, other, tag, MPI_COMM_WORLD);
  } else {
    MPI_Recv(part(row, 1), kSize, MPI_DOUBLE, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void by_loops(void) {
  for (int step = 0; step < steps; step++) {
    if (has_above()) whole_row(0, rank - 1, 1, 0);
    if (has_below() && step > 0) whole_row(rows + 1, rank + 1, 2, 0);
    for (int diagonal = 2; diagonal <= bands + kColumns; diagonal++) {
      const int first = diagonal > kColumns + 1 ? diagonal - kColumns : 1;
      const int last = diagonal - 1 < bands ? diagonal - 1 : bands;
#pragma omp parallel for schedule(dynamic, 1)
      for (int band = first; band <= last; band++) compute(band, diagonal - band);
    }
    if (has_below()) whole_row(rows, rank + 1, 1, 1);
    if (has_above() && step < steps - 1) whole_row(1, rank - 1, 2, 1);
  }
}

/* Halos belong to the bands 0 and bands + 1. */
static void compute_tasks(void) {
  for (int c = 1; c <= kColumns; c++) {
    for (int band = 1; band <= bands; band++) {
#pragma omp task firstprivate(band, c) depend(inout : ORDER(band, c)) \
    depend(in : ORDER(band - 1, c), ORDER(band + 1, c), ORDER(band, c - 1), ORDER(band, c + 1))
      compute(band, c);
    }
  }
}

static void receive_task(int band, int row, int from, int tag, int column) {
#pragma omp task depend(out : ORDER(band, column))
  receive(row, from, tag, column);
}

static void send_task(int band, int row, int to, int tag, int column) {
#pragma omp task depend(in : ORDER(band, column))
  send(row, to, tag, column);
}

static void receive_event(int band, int row, int from, int tag, int column) {
  omp_event_handle_t event;
#pragma omp task detach(event) depend(out : ORDER(band, column))
  {
    MPI_Request request;
    MPI_Irecv(part(row, column), kBlock, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &request);
    bobbin_mpi_iwait(&request, MPI_STATUS_IGNORE, event);
  }
}

static void send_event(int band, int row, int to, int tag, int column) {
  omp_event_handle_t event;
#pragma omp task detach(event) depend(in : ORDER(band, column))
  {
    MPI_Request request;
    MPI_Isend(part(row, column), kBlock, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &request);
    bobbin_mpi_iwait(&request, MPI_STATUS_IGNORE, event);
  }
}

typedef void (*Transfer)(int band, int row, int other, int tag, int column);

static void by_tasks(Transfer receives, Transfer sends) {
#pragma omp parallel
#pragma omp single
  for (int step = 0; step < steps; step++) {
    for (int c = 1; c <= kColumns; c++) {
      if (has_above()) receives(0, 0, rank - 1, down(c), c);
      if (has_below() && step > 0) receives(bands + 1, rows + 1, rank + 1, up(c), c);
    }
    compute_tasks();
    for (int c = 1; c <= kColumns; c++) {
      if (has_below()) sends(bands, rows, rank + 1, down(c), c);
      if (has_above() && step < steps - 1) sends(1, 1, rank - 1, up(c), c);
    }
  }
}

/* Hot edges, and a cold plate. `first` is the number of the first row of all. */
static void fill(double* target, int first, int height) {
  memset(target, 0, (size_t)(height + 2) * kWidth * sizeof *target);
  for (int i = 0; i < height + 2; i++) {
    target[(size_t)i * kWidth] = 1 + (double)(first + i) / kSize;
    if (first + i == 0 || first + i == kSize + 1) {
      for (int j = 0; j < kWidth; j++) target[(size_t)i * kWidth + j] = 2 - (double)j / kSize;
    }
  }
}

static int is_right(void) {
  double* all = malloc((size_t)(kSize + 2) * kWidth * sizeof *all);
  if (all == NULL) return 0;
  fill(all, 0, kSize);
  for (int step = 0; step < steps; step++) sweep(all + kWidth, kSize, 1, kSize);
  int right = 1;
  for (int i = 1; i <= rows; i++) {
    const double* expected = all + (size_t)(rank * rows + i) * kWidth;
    right &= memcmp(ROW(i), expected, kWidth * sizeof *expected) == 0;
  }
  free(all);
  return right;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* way = argc > 1 ? argv[1] : "tasks";
  if (argc > 2) steps = atoi(argv[2]);
  if (argc > 3) delay_us = atoi(argv[3]);
  rows = kSize / ranks;
  bands = rows / kBlock;
  plate = malloc((size_t)(rows + 2) * kWidth * sizeof *plate);
  order = calloc((size_t)(bands + 2) * (kColumns + 2), 1);
  if (rows % kBlock != 0 || rows * ranks != kSize || plate == NULL || order == NULL) {
    fprintf(stderr, "heat: %d ranks do not divide the plate\n", ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  fill(plate, rank * rows, rows);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (strcmp(way, "mpi") == 0) {
    by_mpi();
  } else if (strcmp(way, "loops") == 0) {
    by_loops();
  } else if (strcmp(way, "tasks") == 0) {
    by_tasks(receive_task, send_task);
  } else if (strcmp(way, "events") == 0 && bobbin_mpi_iwait != NULL) {
    by_tasks(receive_event, send_event);
  } else {
    fprintf(stderr, "heat: cannot go the way '%s' here\n", way);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - begin;
  int right = is_right(), all_right = 0;
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("metric=heat value=%.4f unit=s way=%s delay_us=%d\n", seconds, way, delay_us);
    puts(all_right ? "check=ok" : "check=failed what=\"differs from a serial sweep\"");
  }
  MPI_Finalize();
  return !all_right;
}
