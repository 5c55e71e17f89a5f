// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/team.h"

namespace bobbin {

struct Worker;

// A kernel thread of the application that has called into the runtime: the initial thread of a
// contention group. Its initial task is enclosed by an implicit parallel region of one thread
// (section 1.2.2), which is `initial_team`.
struct Root {
  Worker* worker = nullptr;
  Thread thread;
  Team initial_team;
  Member initial_member;
  Atomic<unsigned> threads{1};  // of the contention group, for thread-limit
  Root* next = nullptr;         // in the pool of records whose kernel thread has ended
};

// For the fork handlers: the only root that is left is the calling thread's.
void forget_other_roots();

}  // namespace bobbin
