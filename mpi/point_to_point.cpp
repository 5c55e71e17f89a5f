// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "entry.h"
#include "real.h"
#include "waiting.h"

// Send, receive and probe, in tasks. An immediate call that fails has raised its error. A receive
// from MPI_PROC_NULL does not wait, and MPICH's immediate form of it gives a wrong status.

using namespace bobbin::mpi;

namespace {

// Both are completed, whatever becomes of the first.
int complete_both(MPI_Request& receive, MPI_Request& send, MPI_Status* status, MPI_Comm comm) {
  const int received = complete(receive, status, comm);
  const int sent = complete(send, MPI_STATUS_IGNORE, comm);
  return received != MPI_SUCCESS ? received : sent;
}

void give_up(MPI_Request& receive) {
  real::Cancel(&receive);
  real::Wait(&receive, MPI_STATUS_IGNORE);
}

}  // namespace

BOBBIN_MPI_ENTRY(Send,
                 (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)) {
  if (!in_task()) return real::Send(data, count, type, to, tag, comm);
  MPI_Request request;
  const int error = real::Isend(data, count, type, to, tag, comm, &request);
  return error != MPI_SUCCESS ? error : complete(request, MPI_STATUS_IGNORE, comm);
}

BOBBIN_MPI_ENTRY(Ssend,
                 (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)) {
  if (!in_task()) return real::Ssend(data, count, type, to, tag, comm);
  MPI_Request request;
  const int error = real::Issend(data, count, type, to, tag, comm, &request);
  return error != MPI_SUCCESS ? error : complete(request, MPI_STATUS_IGNORE, comm);
}

BOBBIN_MPI_ENTRY(Rsend,
                 (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)) {
  if (!in_task()) return real::Rsend(data, count, type, to, tag, comm);
  MPI_Request request;
  const int error = real::Irsend(data, count, type, to, tag, comm, &request);
  return error != MPI_SUCCESS ? error : complete(request, MPI_STATUS_IGNORE, comm);
}

BOBBIN_MPI_ENTRY(Recv, (void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                        MPI_Status* status)) {
  if (!in_task() || from == MPI_PROC_NULL)
    return real::Recv(data, count, type, from, tag, comm, status);
  MPI_Request request;
  const int error = real::Irecv(data, count, type, from, tag, comm, &request);
  return error != MPI_SUCCESS ? error : complete(request, status, comm);
}

BOBBIN_MPI_ENTRY(Mrecv, (void* data, int count, MPI_Datatype type, MPI_Message* message,
                         MPI_Status* status)) {
  if (!in_task()) return real::Mrecv(data, count, type, message, status);
  MPI_Request request;
  const int error = real::Imrecv(data, count, type, message, &request);
  if (error != MPI_SUCCESS) return error;
  until_complete(request);
  return real::Wait(&request, status);  // the message knows its communicator, this layer does not
}

BOBBIN_MPI_ENTRY(Sendrecv, (const void* data, int count, MPI_Datatype type, int to, int tag,
                            void* received, int receive_count, MPI_Datatype receive_type, int from,
                            int receive_tag, MPI_Comm comm, MPI_Status* status)) {
  if (!in_task()) {
    return real::Sendrecv(data, count, type, to, tag, received, receive_count, receive_type, from,
                          receive_tag, comm, status);
  }
  if (from == MPI_PROC_NULL) {
    const int error = MPI_Send(data, count, type, to, tag, comm);
    if (error != MPI_SUCCESS) return error;
    return real::Recv(received, receive_count, receive_type, from, receive_tag, comm, status);
  }
  MPI_Request receive;
  MPI_Request send;
  int error = real::Irecv(received, receive_count, receive_type, from, receive_tag, comm, &receive);
  if (error != MPI_SUCCESS) return error;
  error = real::Isend(data, count, type, to, tag, comm, &send);
  if (error != MPI_SUCCESS) {
    give_up(receive);
    return error;
  }
  return complete_both(receive, send, status, comm);
}

// What is sent lies apart, packed, while its place receives. MPI_PACKED matches every type.
BOBBIN_MPI_ENTRY(Sendrecv_replace, (void* data, int count, MPI_Datatype type, int to, int tag,
                                    int from, int receive_tag, MPI_Comm comm, MPI_Status* status)) {
  auto plainly = [&] {
    return real::Sendrecv_replace(data, count, type, to, tag, from, receive_tag, comm, status);
  };
  if (!in_task() || to == MPI_PROC_NULL) return plainly();
  int size = 0;
  int error = real::Pack_size(count, type, comm, &size);
  if (error != MPI_SUCCESS) return error;
  void* packed = malloc(size > 0 ? static_cast<size_t>(size) : 1);
  if (packed == nullptr) return plainly();
  int end = 0;
  error = real::Pack(data, count, type, packed, size, &end, comm);
  if (error == MPI_SUCCESS) {
    error = MPI_Sendrecv(packed, end, real::packed(), to, tag, data, count, type, from, receive_tag,
                         comm, status);
  }
  free(packed);
  return error;
}

BOBBIN_MPI_ENTRY(Probe, (int from, int tag, MPI_Comm comm, MPI_Status* status)) {
  if (!in_task()) return real::Probe(from, tag, comm, status);
  for (;;) {
    int there = 0;
    const int error = real::Iprobe(from, tag, comm, &there, status);
    if (error != MPI_SUCCESS || there != 0) return error;
    until_message(from, tag, comm);
  }
}

// Another thread may take the message that the poller has seen.
BOBBIN_MPI_ENTRY(Mprobe,
                 (int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status)) {
  if (!in_task()) return real::Mprobe(from, tag, comm, message, status);
  for (;;) {
    int there = 0;
    const int error = real::Improbe(from, tag, comm, &there, message, status);
    if (error != MPI_SUCCESS || there != 0) return error;
    until_message(from, tag, comm);
  }
}
