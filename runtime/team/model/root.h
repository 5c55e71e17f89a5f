// SPDX-License-Identifier: Apache-2.0
// The record of a kernel thread of the application.
#pragma once

#include "env/icv.h"
#include "team/model/team.h"

namespace bobbin {

struct FreeAgent;
struct Worker;

// A kernel thread of the application that has called into the runtime: the initial thread of a
// contention group. Its initial task is enclosed by an implicit parallel region of one thread
// (section 1.2.2), which is `initial_team`.
struct Root : Group {
  Thread thread;
  Team initial_team;
  Member initial_member;
  Member* initial_members[1 + kMostFreeAgents] = {&initial_member};
  Atomic<uint64_t> asleep_bits{0};
  Atomic<uint64_t> unbegun_bits{0};
  Atomic<unsigned> threads{1};          // of the contention group, for thread-limit
  Atomic<FreeAgents*> agents{nullptr};  // of the contention group; null until needed. A free
                                        // agent's root has those of the group that it serves
  FreeAgents* own_agents = nullptr;     // the same, kept with the record for its next use
  Root* next = nullptr;                 // in the pool of records whose kernel thread has ended
};

// The same as attach_root(), for the kernel thread of a free agent (team/regions/free_agents.h).
Thread& attach_free_agent(const FreeAgent& agent);

}  // namespace bobbin
