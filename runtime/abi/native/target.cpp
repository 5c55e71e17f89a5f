// SPDX-License-Identifier: Apache-2.0
// target, teams and distribute of translated programs.
#include "construct/regions/target.h"
#include "abi/call_site.h"
#include "abi/export.h"
#include "bobbin/native.h"
#include "construct/regions/teams.h"
#include "construct/tool_events.h"
#include "construct/worksharing/static_part.h"
#include "team/model/team.h"

using namespace bobbin;

namespace {

using Number = unsigned long long;

unsigned as_clause(int value) { return value > 0 ? static_cast<unsigned>(value) : 0; }

void check(int device) {
  switch (device) {
    case bobbin_omp_device_by_default:
      return check_device(kDefaultDevice);
    case bobbin_omp_host_by_if:
      return check_device(kHostByClause);
    default:  // a construct with the clause may name the host as omp_initial_device
      return check_device(device == kInitialDevice ? host_number() : device);
  }
}

// The team's chunk that begins at `*first`, if the loop has it.
int take(Thread& thread, Number count, Number chunk, Number* first, Number* last) {
  if (*first >= count) return 0;
  *last = count - *first < chunk ? count : *first + chunk;
  if (tool::watched) [[unlikely]]
    tell_iterations(thread, ompt_dispatch_distribute_chunk, *first, *last - *first);
  return 1;
}

}  // namespace

BOBBIN_NATIVE_ENTRY void bobbin_omp_target(void (*function)(void*), void* data, int device,
                                           int thread_limit) {
  BOBBIN_CALL_SITE_OF(function);
  check(device);
  run_target(function, data, as_clause(thread_limit));
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_target_data(int device) { check(device); }

BOBBIN_NATIVE_ENTRY void bobbin_omp_teams(void (*function)(void*), void* data, int teams,
                                          int thread_limit) {
  BOBBIN_CALL_SITE_OF(function);
  run_teams(function, data, {as_clause(teams), as_clause(thread_limit)});
}

BOBBIN_NATIVE_ENTRY int bobbin_omp_distribute_begin(Number count, Number chunk, Number* first,
                                                    Number* last) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  const Team& team = *thread.member->team;
  if (tool::watched) [[unlikely]]
    tell_work_begin(thread, ompt_work_distribute, count);
  if (count == 0) return 0;
  const StaticPart part = chunk != 0 ? cyclic_part(count, chunk, team.num_teams, team.team_num)
                                     : block_part(count, team.num_teams, team.team_num);
  if (part.range.first == part.range.last) return 0;
  *first = part.range.first;
  return take(thread, count, part.range.last - part.range.first, first, last);
}
// The distance to the next chunk may be beyond the last number.
BOBBIN_NATIVE_ENTRY int bobbin_omp_distribute_next(Number count, Number chunk, Number* first,
                                                   Number* last) {
  Thread& thread = self();
  Number distance;
  if (chunk == 0 || __builtin_mul_overflow(chunk, thread.member->team->num_teams, &distance) ||
      __builtin_add_overflow(*first, distance, first)) {
    return 0;
  }
  return take(thread, count, chunk, first, last);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_distribute_end() {
  BOBBIN_CALL_SITE;
  if (tool::watched) [[unlikely]]
    tell_work_end(self());
}
