// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include <cstdio>

#include "entry.h"
#include "pending.h"
#include "polling_thread.h"
#include "real.h"
#include "waiting.h"

using namespace bobbin::mpi;

namespace {

bool on_bobbin() { return bobbin_let_tasks_block != nullptr; }

// The child of a fork may not use MPI, and its library shares memory with other ranks. The tasks
// that wait are the parent's.
void in_child() {
  state = State::InChild;
  bobbin_let_tasks_block(nullptr);
  forget_pending();
  forget_polling_thread();
}

void begin(int provided) {
  if (!on_bobbin()) {
    fputs("Bobbin: the layer for MPI is loaded, but not libbobbin.so.1: MPI stays as it is\n",
          stderr);
    return;
  }
  if (provided != MPI_THREAD_MULTIPLE) {
    fputs("Bobbin: this MPI does not provide MPI_THREAD_MULTIPLE, so calls block their threads\n",
          stderr);
    return;
  }
  state = State::AtWork;
  bobbin_let_tasks_block(poll);
  pthread_atfork(nullptr, nullptr, in_child);
  start_polling_thread();
}

// Tasks and the poller call the library in several threads at the same time, whatever the program
// asks for. The program is told what the library provides.
int init(int* argc, char*** argv, int* provided) {
  int level = MPI_THREAD_SINGLE;
  const int error = real::Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
  if (error == MPI_SUCCESS) begin(level);
  if (provided != nullptr) *provided = level;
  return error;
}

}  // namespace

BOBBIN_MPI_ENTRY(Init, (int* argc, char*** argv)) { return init(argc, argv, nullptr); }

BOBBIN_MPI_ENTRY(Init_thread, (int* argc, char*** argv, int /*required*/, int* provided)) {
  return init(argc, argv, provided);
}

BOBBIN_MPI_ENTRY(Finalize, ()) {
  if (at_work()) {
    state = State::Off;
    bobbin_let_tasks_block(nullptr);
    stop_polling_thread();
  }
  return real::Finalize();
}
