// SPDX-License-Identifier: Apache-2.0
// The pool and the team layer, the real code, on model threads: each kernel thread is a model
// thread, fibers are switched by the runtime's own context switch. Stacks, TLS blocks and the team
// store are stand-ins that begin every execution afresh; there is no monitor.
#pragma once

#include "model/explore.h"
#include "sched/pool_state.h"
#include "team/fork_join.h"
#include "team/team.h"
#include "team/thread.h"

namespace bobbin::model {

enum class Provider { Fiber, Kernel };

// malloc fails from now on. An execution begins without that.
extern bool memory_is_used_up;

// The kernel tells of an idle processor from now on. An execution begins without that.
extern bool processor_is_idle;

class World {
 public:
  static constexpr unsigned kMaxTeam = 4;

  // To be made by the test's body, once an execution.
  explicit World(Provider provider, unsigned processors = 8);

  // Makes the calling model thread a root.
  Thread& add_root();

  // Starts a model thread that carries a helper's loop.
  void start_helper();

  // Puts the record of a worker that may be started later where the pool finds it.
  void provide_worker();

  // A team as take_team() would give it.
  Team* take_team(Thread& forking, unsigned size);

  static World* instance;
};

}  // namespace bobbin::model
