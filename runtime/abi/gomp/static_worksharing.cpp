// SPDX-License-Identifier: Apache-2.0
// Loops whose iterations the code of GCC 17 and later divides itself. It asks for its place in the
// team or the league. With -fopenmp-ompt it also says which part it begins and where the loop ends.
#include "abi/export.h"
#include "team/team.h"

using namespace bobbin;

namespace {

using Place = __complex__ int;  // how many there are, and which of them this one is

Place place(unsigned count, unsigned number) {
  Place it;
  __real__ it = static_cast<int>(count);
  __imag__ it = static_cast<int>(number);
  return it;
}

}  // namespace

BOBBIN_ENTRY Place GOMP_loop_static_worksharing(unsigned long long /*iterations*/) {
  const Member& member = *self().member;
  return place(member.team->size, member.num);
}

BOBBIN_ALIAS(GOMP_loop_static_worksharing)
Place GOMP_loop_static_worksharing_start(unsigned long long);

BOBBIN_ENTRY void GOMP_loop_static_worksharing_dispatch(unsigned long long, unsigned long long) {}
BOBBIN_ENTRY void GOMP_loop_static_worksharing_end() {}

BOBBIN_ENTRY Place GOMP_distribute_static_worksharing(unsigned long long /*iterations*/) {
  const Team& team = current_team();
  return place(team.num_teams, team.team_num);
}

BOBBIN_ALIAS(GOMP_distribute_static_worksharing)
Place GOMP_distribute_static_worksharing_start(unsigned long long);

BOBBIN_ALIAS(GOMP_loop_static_worksharing_dispatch)
void GOMP_distribute_static_worksharing_dispatch(unsigned long long, unsigned long long);
BOBBIN_ALIAS(GOMP_loop_static_worksharing_end)
void GOMP_distribute_static_worksharing_end();
