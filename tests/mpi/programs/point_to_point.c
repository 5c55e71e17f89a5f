/* SPDX-License-Identifier: Apache-2.0
 * Point-to-point calls and completion, in tasks: values, statuses. */
#include "report.h"

enum { kCount = 5, kLarge = 200000 };

static int right, left;
static MPI_Comm comm;

static void fill(int* values, int count, int first) {
  for (int i = 0; i < count; i++) values[i] = first + 1000 * rank + i;
}

typedef int (*Sender)(const void*, int, MPI_Datatype, int, int, MPI_Comm);

static void sends(void) {
  static const struct {
    const char* name;
    Sender send;
  } senders[] = {{"Send", MPI_Send}, {"Ssend", MPI_Ssend}, {"Rsend", MPI_Rsend}};
  for (int s = 0; s < 3; s++) {
    int out[kCount], in[kCount] = {0}, sent, received;
    MPI_Status status;
    MPI_Request ready;
    fill(out, kCount, 10 * s);
    /* A ready send needs a receive that is posted. */
    MPI_Irecv(in, kCount, MPI_INT, left, s, comm, &ready);
    MPI_Barrier(comm);
    IN_TASK(sent = senders[s].send(out, kCount, MPI_INT, right, s, comm))
    IN_TASK(received = MPI_Wait(&ready, &status))
    say(senders[s].name, sent);
    say("Wait", received);
    say_status(senders[s].name, &status);
    say_values(senders[s].name, in, kCount);
    fprintf(report, "request is null: %d\n", ready == MPI_REQUEST_NULL);
  }
}

static void receives(void) {
  int out[kCount], in[kCount] = {0}, error = 0;
  MPI_Status status;
  MPI_Request request;
  fill(out, kCount, 100);
  /* More room than is sent, from anybody. */
  MPI_Isend(out, kCount - 2, MPI_INT, right, 7, comm, &request);
  IN_TASK(error = MPI_Recv(in, kCount, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status))
  say("Recv", error);
  say_status("Recv", &status);
  say_values("Recv", in, kCount);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Isend(out, kCount, MPI_INT, right, 8, comm, &request);
  IN_TASK(error = MPI_Recv(in, kCount, MPI_INT, left, 8, comm, MPI_STATUS_IGNORE))
  say("Recv without a status", error);
  say_values("Recv without a status", in, kCount);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IN_TASK(error = MPI_Recv(in, kCount, MPI_INT, MPI_PROC_NULL, 8, comm, &status))
  say("Recv from nobody", error);
  say_status("Recv from nobody", &status);
  IN_TASK(error = MPI_Send(out, kCount, MPI_INT, MPI_PROC_NULL, 8, comm))
  say("Send to nobody", error);
  MPI_Isend(out, 0, MPI_INT, right, 9, comm, &request);
  IN_TASK(error = MPI_Recv(NULL, 0, MPI_INT, left, 9, comm, &status))
  say("Recv of nothing", error);
  say_status("Recv of nothing", &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Larger than the library sends at once; a datatype that is freed while it is in use. */
static void large(void) {
  int* out = calloc(2 * kLarge, sizeof *out);
  int* in = calloc(2 * kLarge, sizeof *in);
  int sent = 0, received = 0, sum = 0;
  MPI_Status status;
  MPI_Datatype every_other;
  MPI_Type_vector(kLarge, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  fill(out, 2 * kLarge, 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    {
      MPI_Datatype type;
      MPI_Type_dup(every_other, &type);
      MPI_Request request;
      MPI_Irecv(in, 1, type, left, 1, comm, &request);
      MPI_Type_free(&type);
      received = MPI_Wait(&request, &status);
    }
#pragma omp task
    sent = MPI_Send(out, 1, every_other, right, 1, comm);
  }
  MPI_Type_free(&every_other);
  say("Send of much", sent);
  say("Wait for much", received);
  say_status("much", &status);
  for (int i = 0; i < 2 * kLarge; i++) sum = sum * 31 + in[i];
  say_values("much", &sum, 1);
  free(in);
  free(out);
}

static void exchanges(void) {
  int out[kCount], in[kCount] = {0}, error = 0;
  MPI_Status status;
  fill(out, kCount, 300);
  IN_TASK(error = MPI_Sendrecv(out, kCount, MPI_INT, right, 3, in, kCount, MPI_INT, left, 3, comm,
                               &status))
  say("Sendrecv", error);
  say_status("Sendrecv", &status);
  say_values("Sendrecv", in, kCount);
  IN_TASK(error = MPI_Sendrecv(out, kCount, MPI_INT, MPI_PROC_NULL, 3, in, kCount, MPI_INT,
                               MPI_PROC_NULL, 3, comm, MPI_STATUS_IGNORE))
  say("Sendrecv with nobody", error);
  IN_TASK(error = MPI_Sendrecv_replace(out, kCount, MPI_INT, right, 4, left, 4, comm, &status))
  say("Sendrecv_replace", error);
  say_status("Sendrecv_replace", &status);
  say_values("Sendrecv_replace", out, kCount);
}

static void probes(void) {
  int out[kCount], in[kCount] = {0}, error = 0;
  MPI_Status status = {0};  // MPICH does not say after a probe whether a message was cancelled
  MPI_Request request;
  MPI_Message message;
  fill(out, kCount, 400);
  MPI_Isend(out, kCount, MPI_INT, right, 5, comm, &request);
  IN_TASK(error = MPI_Probe(MPI_ANY_SOURCE, 5, comm, &status))
  say("Probe", error);
  say_status("Probe", &status);
  MPI_Recv(in, kCount, MPI_INT, left, 5, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IN_TASK(error = MPI_Probe(MPI_PROC_NULL, 5, comm, &status))
  say("Probe of nobody", error);
  say_status("Probe of nobody", &status);
  MPI_Isend(out, kCount, MPI_INT, right, 6, comm, &request);
  IN_TASK(error = MPI_Mprobe(left, 6, comm, &message, &status))
  say("Mprobe", error);
  say_status("Mprobe", &status);
  IN_TASK(error = MPI_Mrecv(in, kCount, MPI_INT, &message, &status))
  say("Mrecv", error);
  say_status("Mrecv", &status);
  say_values("Mrecv", in, kCount);
  fprintf(report, "message is null: %d\n", message == MPI_MESSAGE_NULL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void start_three(MPI_Request requests[6], int in[3]) {
  static int out[3];
  fill(out, 3, 500);
  for (int i = 0; i < 3; i++) {
    MPI_Irecv(&in[i], 1, MPI_INT, left, 20 + i, comm, &requests[i]);
    MPI_Isend(&out[i], 1, MPI_INT, right, 20 + i, comm, &requests[3 + i]);
  }
}

static void several(void) {
  MPI_Request requests[6];
  MPI_Status statuses[6];
  int in[3] = {0}, error = 0;
  start_three(requests, in);
  IN_TASK(error = MPI_Waitall(6, requests, statuses))
  say("Waitall", error);
  for (int i = 0; i < 3; i++) say_status("Waitall", &statuses[i]);
  say_values("Waitall", in, 3);
  IN_TASK(error = MPI_Waitall(6, requests, MPI_STATUSES_IGNORE))
  say("Waitall, all inactive", error);
  IN_TASK(error = MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE))
  say("Waitall of none", error);

  start_three(requests, in);
  int seen = 0, index = 0;
  for (int i = 0; i < 6; i++) {
    IN_TASK(error = MPI_Waitany(6, requests, &index, MPI_STATUS_IGNORE))
    say("Waitany", error);
    seen |= 1 << index;
  }
  say_values("Waitany", &seen, 1);
  IN_TASK(error = MPI_Waitany(6, requests, &index, statuses))
  say("Waitany, all inactive", error);
  fprintf(report, "undefined: %d\n", index == MPI_UNDEFINED);
  say_status("Waitany, all inactive", statuses);

  start_three(requests, in);
  seen = 0;
  while (seen != 63) {
    int count = 0, indices[6];
    IN_TASK(error = MPI_Waitsome(6, requests, &count, indices, statuses))
    if (error != MPI_SUCCESS) break;
    for (int i = 0; i < count; i++) seen |= 1 << indices[i];
  }
  say("Waitsome", error);
  say_values("Waitsome", &seen, 1);
  IN_TASK(error = MPI_Waitsome(6, requests, &index, in, statuses))
  say("Waitsome, all inactive", error);
  fprintf(report, "undefined: %d\n", index == MPI_UNDEFINED);

  /* Persistent requests stay, inactive. */
  MPI_Send_init(&in[0], 1, MPI_INT, right, 30, comm, &requests[0]);
  MPI_Recv_init(&in[1], 1, MPI_INT, left, 30, comm, &requests[1]);
  for (int round = 0; round < 3; round++) {
    in[0] = 10 * rank + round;
    MPI_Startall(2, requests);
    IN_TASK(error = MPI_Waitall(2, requests, statuses))
    say("Waitall, persistent", error);
    say_status("Waitall, persistent", &statuses[1]);
    say_values("Waitall, persistent", &in[1], 1);
  }
  IN_TASK(error = MPI_Wait(&requests[1], statuses))
  say("Wait, inactive", error);
  say_status("Wait, inactive", statuses);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void cancelled(void) {
  int in = 0, error = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, left, 99, comm, &request);
  MPI_Cancel(&request);
  IN_TASK(error = MPI_Wait(&request, &status))
  int is = -1;
  MPI_Test_cancelled(&status, &is);
  say("Wait for a cancelled receive", error);
  say_values("cancelled", &is, 1);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  open_report(argv[1]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  fprintf(report, "provided: %d\n", provided);
  sends();
  receives();
  large();
  exchanges();
  probes();
  several();
  cancelled();
  MPI_Comm_free(&comm);
  fclose(report);
  return MPI_Finalize();
}
