// SPDX-License-Identifier: Apache-2.0
#include "entry.h"
#include "real.h"
#include "waiting.h"

// MPI_Wait and its relatives. A wrong count or handle is the library's to report.

using namespace bobbin::mpi;

BOBBIN_MPI_ENTRY(Wait, (MPI_Request * request, MPI_Status* status)) {
  if (in_task() && request != nullptr) until_complete(*request);
  return real::Wait(request, status);
}

BOBBIN_MPI_ENTRY(Waitall, (int count, MPI_Request requests[], MPI_Status* statuses)) {
  if (!in_task() || requests == nullptr) return real::Waitall(count, requests, statuses);
  until_complete(count, requests);
  // Open MPI's Waitall waits for ever if the operation of a request that is already complete has
  // failed.
  int complete = 0;
  const int error = real::Testall(count, requests, &complete, statuses);
  if (error != MPI_SUCCESS || complete != 0) return error;
  return real::Waitall(count, requests, statuses);
}

BOBBIN_MPI_ENTRY(Waitany, (int count, MPI_Request requests[], int* index, MPI_Status* status)) {
  if (in_task() && requests != nullptr) until_one_complete(count, requests);
  return real::Waitany(count, requests, index, status);
}

BOBBIN_MPI_ENTRY(Waitsome, (int count, MPI_Request requests[], int* completed, int* indices,
                            MPI_Status* statuses)) {
  if (in_task() && requests != nullptr) until_one_complete(count, requests);
  return real::Waitsome(count, requests, completed, indices, statuses);
}
