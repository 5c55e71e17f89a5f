// SPDX-License-Identifier: Apache-2.0
#include "construct/regions/initial_region.h"

#include "platform/diagnostics.h"
#include "team/members/tool_events.h"
#include "team/regions/fork_join.h"

namespace bobbin {

void run_initial_region(const InitialRegion& region, void (*function)(void*), void* data) {
  Thread& thread = self();
  Team* team = assemble(thread, 1, region.icvs);
  if (team == nullptr) fatal("out of memory at a target or teams construct");
  Atomic<unsigned> group_threads{1};
  team->group_threads = &group_threads;
  team->level = 0;
  team->active_level = 0;
  team->icvs = region.icvs;
  team->team_num = region.team_num;
  team->num_teams = region.num_teams;
  if (team->watched) watch_initial_region(thread, *team, region.league);
  fork(thread, *team, function, data);
  if (team->watched) set_exit_frame(thread, __builtin_frame_address(0));
  function(data);
  if (team->watched) end_initial_region(thread, *team);
  join(thread, *team);
}

}  // namespace bobbin
