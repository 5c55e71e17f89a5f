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
  Root* next = nullptr;         // in the pool of records whose kernel thread has ended
};

}  // namespace bobbin
