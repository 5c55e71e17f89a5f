// SPDX-License-Identifier: Apache-2.0
#include "construct/teams.h"

#include "construct/initial_region.h"
#include "task/icvs.h"

namespace bobbin {
namespace {

unsigned as_thread_limit(unsigned limit) { return limit < kNoThreadLimit ? limit : kNoThreadLimit; }

}  // namespace

void run_teams(void (*function)(void*), void* data, const TeamsClauses& clauses) {
  InitialRegion region{.icvs = current_icvs()};
  unsigned limit =
      clauses.thread_limit != 0 ? clauses.thread_limit : region.icvs.teams_thread_limit;
  if (limit != 0) region.icvs.thread_limit = as_thread_limit(limit);
  // Without a wish, one: it gets all threads.
  region.num_teams = clauses.num_teams != 0    ? clauses.num_teams
                     : region.icvs.nteams != 0 ? region.icvs.nteams
                                               : 1;
  for (; region.team_num < region.num_teams; region.team_num++) {
    run_initial_region(region, function, data);
  }
}

bool begin_next_team(bool first, unsigned lower, unsigned thread_limit) {
  Team& team = current_team();
  if (!first) {
    if (team.team_num + 1 >= team.num_teams) return false;
    team.team_num++;
    return true;
  }
  if (thread_limit != 0) writable_icvs().thread_limit = as_thread_limit(thread_limit);
  team.num_teams = lower != 0 ? lower : 1;
  team.team_num = 0;
  return true;
}

}  // namespace bobbin
