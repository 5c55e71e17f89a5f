// SPDX-License-Identifier: Apache-2.0
#include "construct/regions/teams.h"
#include "abi/call_site.h"

#include "abi/export.h"

using namespace bobbin;

BOBBIN_ENTRY void GOMP_teams_reg(void (*function)(void*), void* data, unsigned num_teams,
                                 unsigned thread_limit, unsigned) {
  BOBBIN_CALL_SITE_OF(function);
  run_teams(function, data, {num_teams, thread_limit});
}

// In a target region, before GCC 12. There is one team.
BOBBIN_ENTRY void GOMP_teams(unsigned, unsigned thread_limit) {
  begin_next_team(true, 1, thread_limit);
}

// Called before each team, until it says that there are no more.
BOBBIN_ENTRY bool GOMP_teams4(unsigned lower, unsigned, unsigned thread_limit, bool first) {
  return begin_next_team(first, lower, thread_limit);
}
