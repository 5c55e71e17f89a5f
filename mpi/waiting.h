// SPDX-License-Identifier: Apache-2.0
// How a task waits in a call of MPI. Each function returns when the call that completes its
// requests no longer waits, and leaves that call to its caller.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "bobbin/bobbin.h"

// The runtime is there if the program is on it.
#pragma weak bobbin_let_tasks_block
#pragma weak bobbin_block
#pragma weak bobbin_unblock
#pragma weak bobbin_blocks_task

namespace bobbin::mpi {

enum class State : uint8_t {
  Off,  // before MPI_Init and after MPI_Finalize, or without the runtime or MPI_THREAD_MULTIPLE
  AtWork,
  InChild,  // of a fork
};
extern State state;

// Ends the process, with a message: a child of a fork may not call MPI. It would take the messages
// of its parent, or wait for ever.
[[noreturn]] void refuse();

inline bool at_work() {
  if (state == State::InChild) [[unlikely]]
    refuse();
  return state == State::AtWork;
}

// Could something else run while the calling task waits? Otherwise the library waits better.
inline bool in_task() { return at_work() && bobbin_blocks_task() != 0; }

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
