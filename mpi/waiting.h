// SPDX-License-Identifier: Apache-2.0
// How a task waits in a call of MPI. Each function returns when the call that completes its
// requests no longer waits, and leaves that call to its caller.
#pragma once

#include <mpi.h>

#include "bobbin/bobbin.h"

// The runtime is there if the program is on it.
#pragma weak bobbin_let_tasks_block
#pragma weak bobbin_block
#pragma weak bobbin_unblock
#pragma weak bobbin_blocks_task

namespace bobbin::mpi {

// The layer is at work: the library lets several threads call it, and the runtime is there.
extern bool active;

// Could something else run while the calling task waits? Otherwise the library waits better.
inline bool in_task() { return active && bobbin_blocks_task() != 0; }

// Is it complete? Also true if it is inactive, or if its operation has failed: then the call that
// completes it says so.
bool is_complete(MPI_Request request);

void until_complete(MPI_Request request);
// All of them.
void until_complete(int count, const MPI_Request* requests);
// One of them. At once if all are inactive.
void until_one_complete(int count, const MPI_Request* requests);
void until_message(int source, int tag, MPI_Comm comm);

// Completes a request of the layer's own, as MPI_Wait does. An error is raised on `comm`.
int complete(MPI_Request& request, MPI_Status* status, MPI_Comm comm);

}  // namespace bobbin::mpi
