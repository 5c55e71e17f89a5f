// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/icv.h"
#include "team/team.h"

namespace bobbin {

struct Worker;

// A kernel thread of the application that has called into the runtime: the initial thread of a
// contention group. Its initial task is enclosed by an implicit parallel region of one thread
// (section 1.2.2), which is `initial_team`.
struct Root : Group {
  Thread thread;
  Team initial_team;
  Member initial_member;
  Member* initial_members[1] = {&initial_member};
  Atomic<uint64_t> asleep_bits{0};
  Atomic<uint64_t> unbegun_bits{0};
  Atomic<unsigned> threads{1};  // of the contention group, for thread-limit
  Root* next = nullptr;         // in the pool of records whose kernel thread has ended
};

// Once, at start-up.
void init_roots();

// Settles what depends on the environment; idempotent. Only when the program first uses OpenMP, for
// until then it may set variables: Python programs do, which preload the library and would have
// loaded their own no earlier than with the first module that needs it. Answered by the top of the
// runtime, bound when linking.
void init_runtime();

// For what a program may ask before any of its threads has met OpenMP.
inline const GlobalIcvs& settled_icvs() {
  init_runtime();
  return global_icvs();
}

}  // namespace bobbin
