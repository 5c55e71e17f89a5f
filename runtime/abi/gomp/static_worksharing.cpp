// SPDX-License-Identifier: Apache-2.0
// Loops whose iterations the code of GCC 17 and later divides itself. It asks for its place in the
// team or the league. With -fopenmp-ompt it also says which part it begins and where the loop ends.
#include "abi/call_site.h"
#include "abi/export.h"
#include "construct/tool_events.h"
#include "team/model/team.h"

using namespace bobbin;

namespace {

using Place = __complex__ int;  // how many there are, and which of them this one is

Place place(unsigned count, unsigned number) {
  Place it;
  __real__ it = static_cast<int>(count);
  __imag__ it = static_cast<int>(number);
  return it;
}

Place place_in_team(const Thread& thread) {
  return place(thread.member->team->size, thread.member->num);
}

Place place_in_league(const Thread& thread) {
  return place(thread.member->team->num_teams, thread.member->team->team_num);
}

}  // namespace

BOBBIN_ENTRY Place GOMP_loop_static_worksharing(unsigned long long /*iterations*/) {
  return place_in_team(self());
}

BOBBIN_ENTRY Place GOMP_loop_static_worksharing_start(unsigned long long iterations) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  if (tool::watched) [[unlikely]]
    tell_work_begin(thread, ompt_work_loop_static, iterations);
  return place_in_team(thread);
}

BOBBIN_ENTRY void GOMP_loop_static_worksharing_dispatch(unsigned long long first,
                                                        unsigned long long iterations) {
  if (tool::watched) [[unlikely]]
    tell_iterations(self(), ompt_dispatch_ws_loop_chunk, first, iterations);
}

BOBBIN_ENTRY void GOMP_loop_static_worksharing_end() {
  BOBBIN_CALL_SITE;
  if (tool::watched) [[unlikely]]
    tell_work_end(self());
}

BOBBIN_ENTRY Place GOMP_distribute_static_worksharing(unsigned long long /*iterations*/) {
  return place_in_league(self());
}

// There may be a region in it, whose loops are work of the same thread. So the construct is not
// what tell_work_end() would end.
BOBBIN_ENTRY Place GOMP_distribute_static_worksharing_start(unsigned long long iterations) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  if (tool::watched) [[unlikely]] {
    thread.tool.task->distributed = iterations;
    tell_work(thread, ompt_work_distribute, ompt_scope_begin, iterations);
  }
  return place_in_league(thread);
}

BOBBIN_ENTRY void GOMP_distribute_static_worksharing_dispatch(unsigned long long first,
                                                              unsigned long long iterations) {
  if (tool::watched) [[unlikely]]
    tell_iterations(self(), ompt_dispatch_distribute_chunk, first, iterations);
}

BOBBIN_ENTRY void GOMP_distribute_static_worksharing_end() {
  BOBBIN_CALL_SITE;
  if (!tool::watched) [[likely]]
    return;
  Thread& thread = self();
  tell_work(thread, ompt_work_distribute, ompt_scope_end, thread.tool.task->distributed);
}
