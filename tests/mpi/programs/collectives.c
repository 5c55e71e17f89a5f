/* SPDX-License-Identifier: Apache-2.0
 * Collective calls: in tasks, in a task of one rank only, on an intercommunicator, in place. */
#include "report.h"

enum { kMost = 8 };

static MPI_Comm comm;
/* Which ranks call in a task. The others call outside of regions; these calls must match. */
static int in_tasks;

#define CALL(...)          \
  do {                     \
    if (in_tasks) {        \
      IN_TASK(__VA_ARGS__) \
    } else {               \
      __VA_ARGS__;         \
    }                      \
  } while (0)

static int all[4 * kMost], data[4 * kMost], counts[kMost], offsets[kMost];

static void fill(void) {
  for (int i = 0; i < 4 * kMost; i++) {
    data[i] = 100 * rank + i;
    all[i] = -1;
  }
  for (int i = 0; i < kMost; i++) {
    counts[i] = 1 + i % 3;
    offsets[i] = 3 * i;
  }
}

static void data_movement(void) {
  int error = 0;
  CALL(error = MPI_Barrier(comm));
  say("Barrier", error);
  fill();
  CALL(error = MPI_Bcast(data, 3, MPI_INT, size - 1, comm));
  say("Bcast", error);
  say_values("Bcast", data, 4);
  fill();
  CALL(error = MPI_Bcast(data, 0, MPI_INT, 0, comm));
  say("Bcast of nothing", error);
  fill();
  CALL(error = MPI_Gather(data, 2, MPI_INT, all, 2, MPI_INT, 0, comm));
  say("Gather", error);
  say_values("Gather", all, 2 * size);
  fill();
  if (rank == 0) {
    CALL(error = MPI_Gather(MPI_IN_PLACE, 2, MPI_INT, all, 2, MPI_INT, 0, comm));
  } else {
    CALL(error = MPI_Gather(data, 2, MPI_INT, NULL, 0, MPI_INT, 0, comm));
  }
  say("Gather in place", error);
  say_values("Gather in place", all, 2 * size);
  fill();
  CALL(error = MPI_Gatherv(data, counts[rank], MPI_INT, all, counts, offsets, MPI_INT, 0, comm));
  say("Gatherv", error);
  say_values("Gatherv", all, 3 * size);
  fill();
  CALL(error = MPI_Scatter(data, 2, MPI_INT, all, 2, MPI_INT, 0, comm));
  say("Scatter", error);
  say_values("Scatter", all, 2);
  fill();
  CALL(error = MPI_Scatterv(data, counts, offsets, MPI_INT, all, counts[rank], MPI_INT, 0, comm));
  say("Scatterv", error);
  say_values("Scatterv", all, 3);
  fill();
  CALL(error = MPI_Allgather(data, 2, MPI_INT, all, 2, MPI_INT, comm));
  say("Allgather", error);
  say_values("Allgather", all, 2 * size);
  fill();
  all[rank] = rank;
  CALL(error = MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm));
  say("Allgather in place", error);
  say_values("Allgather in place", all, size);
  fill();
  CALL(error = MPI_Allgatherv(data, counts[rank], MPI_INT, all, counts, offsets, MPI_INT, comm));
  say("Allgatherv", error);
  say_values("Allgatherv", all, 3 * size);
  fill();
  CALL(error = MPI_Alltoall(data, 2, MPI_INT, all, 2, MPI_INT, comm));
  say("Alltoall", error);
  say_values("Alltoall", all, 2 * size);
  fill();
  for (int i = 0; i < kMost; i++) counts[i] = 2;
  CALL(error = MPI_Alltoallv(data, counts, offsets, MPI_INT, all, counts, offsets, MPI_INT, comm));
  say("Alltoallv", error);
  say_values("Alltoallv", all, 3 * size);
  fill();
  MPI_Datatype types[kMost];
  int bytes[kMost];
  for (int i = 0; i < kMost; i++) {
    types[i] = MPI_INT;
    counts[i] = 1;
    bytes[i] = i * (int)sizeof(int);
  }
  CALL(error = MPI_Alltoallw(data, counts, bytes, types, all, counts, bytes, types, comm));
  say("Alltoallw", error);
  say_values("Alltoallw", all, size);
}

/* Not commutative: 2-by-2 matrices. */
static void multiply(void* left, void* right, int* length, MPI_Datatype* type) {
  (void)type;
  const int* a = left;
  int* b = right;
  for (int i = 0; i < *length; i++, a += 4, b += 4) {
    const int c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                      a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
    memcpy(b, c, sizeof c);
  }
}

static void reductions(void) {
  int error = 0;
  fill();
  CALL(error = MPI_Reduce(data, all, 3, MPI_INT, MPI_SUM, size - 1, comm));
  say("Reduce", error);
  say_values("Reduce", all, 3);
  fill();
  if (rank == 0) {
    CALL(error = MPI_Reduce(MPI_IN_PLACE, data, 3, MPI_INT, MPI_MAX, 0, comm));
  } else {
    CALL(error = MPI_Reduce(data, NULL, 3, MPI_INT, MPI_MAX, 0, comm));
  }
  say("Reduce in place", error);
  say_values("Reduce in place", data, 3);
  fill();
  CALL(error = MPI_Allreduce(data, all, 3, MPI_INT, MPI_SUM, comm));
  say("Allreduce", error);
  say_values("Allreduce", all, 3);
  fill();
  CALL(error = MPI_Allreduce(MPI_IN_PLACE, data, 3, MPI_INT, MPI_MIN, comm));
  say("Allreduce in place", error);
  say_values("Allreduce in place", data, 3);
  fill();
  MPI_Op op;
  MPI_Datatype matrix;
  MPI_Type_contiguous(4, MPI_INT, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op_create(multiply, 0, &op);
  CALL(error = MPI_Allreduce(data, all, 1, matrix, op, comm));
  say("Allreduce, an operation of its own", error);
  say_values("Allreduce, an operation of its own", all, 4);
  MPI_Op_free(&op);
  MPI_Type_free(&matrix);
  fill();
  CALL(error = MPI_Reduce_scatter(data, all, counts, MPI_INT, MPI_SUM, comm));
  say("Reduce_scatter", error);
  say_values("Reduce_scatter", all, 3);
  fill();
  CALL(error = MPI_Reduce_scatter_block(data, all, 2, MPI_INT, MPI_SUM, comm));
  say("Reduce_scatter_block", error);
  say_values("Reduce_scatter_block", all, 2);
  fill();
  CALL(error = MPI_Scan(data, all, 3, MPI_INT, MPI_SUM, comm));
  say("Scan", error);
  say_values("Scan", all, 3);
  fill();
  CALL(error = MPI_Exscan(data, all, 3, MPI_INT, MPI_SUM, comm));
  say("Exscan", error);
  if (rank > 0) say_values("Exscan", all, 3);
}

static void between_groups(void) {
  MPI_Comm half, inter;
  int error = 0;
  const int upper = rank >= size / 2;
  MPI_Comm_split(comm, upper, rank, &half);
  MPI_Intercomm_create(half, 0, comm, upper ? 0 : size / 2, 1, &inter);
  CALL(error = MPI_Barrier(inter));
  say("Barrier between groups", error);
  fill();
  const int root = upper ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  CALL(error = MPI_Bcast(data, 3, MPI_INT, root, inter));
  say("Bcast between groups", error);
  say_values("Bcast between groups", data, 3);
  fill();
  CALL(error = MPI_Allreduce(data, all, 2, MPI_INT, MPI_SUM, inter));
  say("Allreduce between groups", error);
  say_values("Allreduce between groups", all, 2);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  open_report(argv[1]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int way = 0; way < 3; way++) {
    in_tasks = way == 0 || (way == 1 && rank == 0);
    data_movement();
    reductions();
    between_groups();
  }
  MPI_Comm_free(&comm);
  fclose(report);
  return MPI_Finalize();
}
