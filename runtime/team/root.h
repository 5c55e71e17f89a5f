// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  bool stacks_reserved = false;
  Root* next = nullptr;  // in the pool of records whose kernel thread has ended
};

// Once, at start-up.
void init_roots();

// Start-up of the library, in the order of the layers; idempotent. Called by the library's
// initialiser, and by whoever comes earlier (a region in a static constructor of a program whose
// libraries are initialised before this one). Answered by the top of the runtime, bound when
// linking.
void init_runtime();

}  // namespace bobbin
