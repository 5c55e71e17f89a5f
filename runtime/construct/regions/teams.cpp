// SPDX-License-Identifier: Apache-2.0
#include "construct/regions/teams.h"

#include "construct/regions/initial_region.h"
#include "task/model/icvs.h"
#include "team/members/tool_events.h"

namespace bobbin {
namespace {

void limit_threads_of_teams(Icvs& icvs, unsigned clause) {
  limit_threads(icvs, clause != 0 ? clause : global_icvs().teams_thread_limit);
}

}  // namespace

void run_teams(void (*function)(void*), void* data, const TeamsClauses& clauses) {
  InitialRegion region{.icvs = current_icvs()};
  const GlobalIcvs& host = global_icvs();
  limit_threads_of_teams(region.icvs, clauses.thread_limit);
  // Without a request there is one team: it gets all threads.
  region.num_teams = clauses.num_teams != 0 ? clauses.num_teams
                     : host.nteams != 0     ? host.nteams
                                            : 1;
  tool::Region league;
  if (tool::watched) {
    region.league = &league;
    tell_region_begin(self(), league, region.num_teams, region.num_teams,
                      ompt_parallel_invoker_runtime | ompt_parallel_league);
  }
  for (; region.team_num < region.num_teams; region.team_num++) {
    run_initial_region(region, function, data);
  }
  if (region.league != nullptr) tell_region_end(self(), league);
}

// All teams of the league are executed in one initial region. Each of them may give that region's
// task other ICVs.
bool begin_next_team(bool first, unsigned lower, unsigned thread_limit) {
  Task& task = *self().task;
  Team& team = current_team();
  if (first) {
    team.icvs = *task.icvs;
    limit_threads_of_teams(team.icvs, thread_limit);
    team.num_teams = lower != 0 ? lower : 1;
    team.team_num = 0;
  } else {
    if (team.team_num + 1 >= team.num_teams) return false;
    team.team_num++;
  }
  task.icvs = &team.icvs;
  return true;
}

}  // namespace bobbin
