// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/icv.h"
#include "team/model/team.h"

namespace bobbin {

// A region that an initial task of its own executes on the encountering thread: a target region on
// the host, or a team of the teams construct on the host. Within it the thread is number 0 of 1 at
// level 0 (section 1.2.2: an implicit parallel region surrounds each initial task). It is the first
// thread of a contention group of its own.
struct InitialRegion {
  Icvs icvs;
  unsigned team_num = 0;
  unsigned num_teams = 1;
  tool::Region* league = nullptr;  // of the teams construct; only if a tool watches
};

// Applies the thread_limit clause of a construct that makes contention groups to the ICVs of their
// initial tasks; 0: none. The clause can only reduce what OMP_THREAD_LIMIT allows for a contention
// group.
inline void limit_threads(Icvs& icvs, unsigned thread_limit) {
  if (thread_limit != 0 && thread_limit < icvs.thread_limit) icvs.thread_limit = thread_limit;
}

void run_initial_region(const InitialRegion& region, void (*function)(void*), void* data);

}  // namespace bobbin
