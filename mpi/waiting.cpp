// SPDX-License-Identifier: Apache-2.0
#include "waiting.h"

#include <unistd.h>

#include <cstdio>

#include "polling_thread.h"
#include "real.h"

namespace bobbin::mpi {

constinit State state = State::Off;

void refuse() {
  fputs("Bobbin: a child of fork() has called MPI, which only its parent may do\n", stderr);
  _exit(1);
}

bool is_complete(MPI_Request request) {
  if (request == real::request_null()) return true;
  int complete = 0;
  const int error = real::Request_get_status(request, &complete, MPI_STATUS_IGNORE);
  return error != MPI_SUCCESS || complete != 0;
}

namespace {

// A task that waits for what Condition::come() tells.
template <class Condition>
class Waiting : Pending {
 public:
  explicit Waiting(const Condition& condition)
      : Pending{[](Pending& self) { return of(self).condition_.come(); },
                [](Pending& self) { bobbin_unblock(&of(self).blocker_); }},
        condition_(condition) {}

  void wait() {
    if (condition_.come()) return;
    look_for(*this);
    bobbin_block(&blocker_);
    // The poller may have unblocked it before its process forked. The caller's next step is a call
    // of MPI, whose locks the parent's other threads may have held then.
    if (state == State::InChild) refuse();
  }

 private:
  static Waiting& of(Pending& self) { return static_cast<Waiting&>(self); }

  bobbin_blocker blocker_{};
  Condition condition_;
};

struct All {
  int left;
  const MPI_Request* requests;

  bool come() {
    for (; left > 0; left--, requests++) {
      if (!is_complete(*requests)) return false;
    }
    return true;
  }
};

struct One {
  int count;
  const MPI_Request* requests;

  bool come() const {
    bool all_inactive = true;
    for (int i = 0; i < count; i++) {
      if (requests[i] == real::request_null()) continue;
      if (is_complete(requests[i])) return true;
      all_inactive = false;
    }
    return all_inactive;
  }
};

struct Message {
  int source;
  int tag;
  MPI_Comm comm;

  bool come() const {
    int there = 0;
    return real::Iprobe(source, tag, comm, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS || there != 0;
  }
};

}  // namespace

void until_complete(MPI_Request request) { Waiting(All{1, &request}).wait(); }

void until_complete(int count, const MPI_Request* requests) {
  Waiting(All{count, requests}).wait();
}

void until_one_complete(int count, const MPI_Request* requests) {
  Waiting(One{count, requests}).wait();
}

void until_message(int source, int tag, MPI_Comm comm) {
  Waiting(Message{source, tag, comm}).wait();
}

int complete(MPI_Request& request, MPI_Status* status, MPI_Comm comm) {
  if (in_task()) until_complete(request);
  const int error = real::Wait(&request, status);
#ifdef MPICH_VERSION
  // It calls the handler of MPI_COMM_WORLD, whatever the communicator of the request is.
  if (error != MPI_SUCCESS && comm != MPI_COMM_WORLD) real::Comm_call_errhandler(comm, error);
#else
  (void)comm;
#endif
  return error;
}

}  // namespace bobbin::mpi
