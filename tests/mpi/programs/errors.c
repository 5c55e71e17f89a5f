/* SPDX-License-Identifier: Apache-2.0
 * Errors of calls in tasks: which are returned, and which communicator's handler is called. */
#include "report.h"

static MPI_Comm returning, counting;
static int handled, handled_elsewhere, handled_error;

/* MPICH holds its lock in a handler, so nothing of MPI may be called here. */
static void count(MPI_Comm* comm, int* error, ...) {
  if (*comm == counting) {
    handled++;
  } else {
    handled_elsewhere++;
  }
  handled_error = *error;
}

/* The message is longer than the room for it, also when it comes long after the receive began. */
static void truncation(const char* name, MPI_Comm comm, int late) {
  const int other = rank ^ 1;
  int out[8] = {0}, in[2] = {0}, error = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank >= (size & ~1)) return;
  handled = handled_elsewhere = handled_error = 0;
  if (!late) MPI_Isend(out, 8, MPI_INT, other, 1, comm, &request);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    error = MPI_Recv(in, 2, MPI_INT, other, 1, comm, MPI_STATUS_IGNORE);
#pragma omp task
    if (late) MPI_Isend(out, 8, MPI_INT, other, 1, comm, &request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say(name, error);
  fprintf(report, "%s: handled %d here, %d elsewhere, class %d\n", name, handled, handled_elsewhere,
          error_class(handled_error));
}

static void wrong_arguments(const char* name, MPI_Comm comm) {
  int value = 0, error = 0;
  handled = handled_elsewhere = handled_error = 0;
  IN_TASK(error = MPI_Send(&value, 1, MPI_INT, size + 5, 1, comm))
  say(name, error);
  IN_TASK(error = MPI_Send(&value, -1, MPI_INT, 0, 1, comm))
  say(name, error);
  IN_TASK(error = MPI_Recv(&value, 1, MPI_DATATYPE_NULL, 0, 1, comm, MPI_STATUS_IGNORE))
  say(name, error);
  IN_TASK(error = MPI_Sendrecv(&value, 1, MPI_INT, size + 5, 1, &value, 1, MPI_INT, 0, 77, comm,
                               MPI_STATUS_IGNORE))
  say(name, error);
  IN_TASK(error = MPI_Probe(size + 5, 1, comm, MPI_STATUS_IGNORE))
  say(name, error);
  IN_TASK(error = MPI_Bcast(&value, 1, MPI_INT, size + 5, comm))
  say(name, error);
  fprintf(report, "%s: handled %d here, %d elsewhere, class %d\n", name, handled, handled_elsewhere,
          error_class(handled_error));
}

#ifndef OPEN_MPI /* whose Waitall may wait for ever here, without the layer */
/* One of several requests fails. */
static void one_of_several(void) {
  const int other = rank ^ 1;
  int out[8] = {0}, in[2] = {0}, more[8] = {0}, error = 0;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  if (rank >= (size & ~1)) return;
  MPI_Isend(out, 8, MPI_INT, other, 1, returning, &requests[0]);
  MPI_Isend(out, 8, MPI_INT, other, 2, returning, &requests[1]);
  MPI_Irecv(in, 2, MPI_INT, other, 1, returning, &requests[2]);
  MPI_Irecv(more, 8, MPI_INT, other, 2, returning, &requests[3]);
  IN_TASK(error = MPI_Waitall(4, requests, statuses))
  say("Waitall", error);
  for (int i = 0; i < 4 && error_class(error) == MPI_ERR_IN_STATUS; i++) {
    if (error_class(statuses[i].MPI_ERROR) == MPI_ERR_PENDING) {
      statuses[i].MPI_ERROR = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    say("Waitall", statuses[i].MPI_ERROR);
  }
}

#endif

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  open_report(argv[1]);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &returning);
  MPI_Comm_dup(MPI_COMM_WORLD, &counting);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(count, &handler);
  MPI_Comm_set_errhandler(counting, handler);
  wrong_arguments("returned", returning);
  wrong_arguments("handled", counting);
  truncation("truncated", returning, 0);
  truncation("truncated, handled", counting, 0);
  truncation("truncated late", returning, 1);
  truncation("truncated late, handled", counting, 1);
#ifndef OPEN_MPI
  one_of_several();
#endif
  fclose(report);
  return MPI_Finalize();
}
