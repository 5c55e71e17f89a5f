// SPDX-License-Identifier: Apache-2.0
// The real pool and team layer on model threads. Each kernel thread is a model thread, and the
// runtime's own context switch switches fibers. Stacks, TLS blocks and the team store are
// replacements that begin every execution anew. There is no monitor.
#pragma once

#include "model/explore.h"
#include "sched/workers/pool_state.h"
#include "team/model/team.h"
#include "team/model/thread.h"
#include "team/regions/fork_join.h"

namespace bobbin::model {

// Bound: fibers that are bound to one of two places of a processor each; the first half of a team
// to the first.
enum class Provider { Fiber, Bound, Kernel };

// From now on malloc fails. It is reset at the start of an execution.
extern bool memory_is_used_up;

// From now on the kernel reports an idle processor. It is reset at the start of an execution.
extern bool processor_is_idle;

class World {
 public:
  static constexpr unsigned kMaxTeam = 4;

  // The test's body makes one, once per execution.
  explicit World(Provider carried_by, unsigned processors = 8, unsigned most_threads = kMaxTeam);

  // Makes the calling model thread a root.
  Thread& add_root();

  // Starts a model thread that runs a helper's loop; that of the second place if threads are bound.
  void start_helper();

  // Puts the record of a worker that may be started later where the pool finds it.
  void provide_worker();

  // Returns a team as take_team() would.
  Team* take_team(Thread& forking, unsigned size);

  static World* instance;

 private:
  BitsetView make_bitset(const char* what) const;
  ArrivalTree make_tree(const char* what) const;

  const unsigned most_threads_;  // of a team
};

// The calling root forks a region, takes part and joins. Each thread must add region.before once to
// its own number in region.runs. Returns the team.
template <class Region>
Team& run_region(Thread& root, unsigned size, int number, Region& region) {
  region.before = number;
  for (auto& runs : region.runs) runs = 0;
  Team* team = assemble(root, size, Icvs{});
  region.team = team;
  fork(root, *team, &Region::run, &region);
  Region::run(&region);
  join(root, *team);
  MODEL_CHECK(root.worker == root.home);
  for (unsigned num = 0; num < size; ++num) MODEL_CHECK(region.runs[num] == number);
  return *team;
}

}  // namespace bobbin::model
