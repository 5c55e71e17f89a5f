// SPDX-License-Identifier: Apache-2.0
//
// Parallel regions, threads and the ICVs that govern them (OpenMP 5.2, sections 18.2 and 18.4).
#include <climits>

#include "abi/omp/omp_api.h"
#include "construct/regions/fair_share.h"
#include "construct/regions/parallel.h"
#include "construct/settings.h"
#include "platform/processors/processors.h"
#include "sched/places/processor_changes.h"
#include "task/model/icvs.h"
#include "team/model/root.h"
#include "team/model/team.h"
#include "team/regions/roots.h"

using namespace bobbin;

namespace {

constexpr unsigned kMonotonicBit = 0x80000000u;  // omp_sched_monotonic

// The caller's member in the team `level` levels from the outside; null if there is no such level.
const Member* ancestor_at(int level) {
  const Member* member = self().member;
  if (level < 0 || static_cast<unsigned>(level) > member->team->level) return nullptr;
  while (member->team->level > static_cast<unsigned>(level)) member = member->team->encountering;
  return member;
}

}  // namespace

// --- Threads and teams.

int omp_get_num_threads() { return static_cast<int>(current_team().size); }

int omp_get_thread_num() {
  Thread& thread = self();
  if (looks_for_races()) [[unlikely]]
    order_by_thread(thread);
  return static_cast<int>(thread.member->num);
}

int omp_in_parallel() { return current_team().active_level > 0 ? 1 : 0; }

int omp_get_level() { return static_cast<int>(current_team().level); }

int omp_get_active_level() { return static_cast<int>(current_team().active_level); }

int omp_get_ancestor_thread_num(int level) {
  const Member* member = ancestor_at(level);
  return member != nullptr ? static_cast<int>(member->num) : -1;
}

int omp_is_free_agent() { return self().member->free_agent ? 1 : 0; }

int omp_ancestor_is_free_agent(int level) {
  const Member* member = ancestor_at(level);
  return member != nullptr && member->free_agent ? 1 : 0;
}

int omp_get_team_size(int level) {
  const Member* member = ancestor_at(level);
  return member != nullptr ? static_cast<int>(member->team->size) : -1;
}

int omp_get_num_procs() {
  const GlobalIcvs& global = settled_icvs();
  // When threads are bound, the caller's own mask is a place and says nothing about the device.
  if (global.binds_threads()) return static_cast<int>(processors_now());
  const UsableProcessors now{affinity_mask().count(), quota_now()};
  return static_cast<int>(now.count());
}

// --- ICVs of the current task.

void omp_set_num_threads(int count) {
  IcvChange()->nthreads = count > 0 ? static_cast<unsigned>(count) : 1;
  if (global_icvs().share == Share::Fair) forget_told_size(self());
}

int omp_get_max_threads() {
  Thread& thread = self();
  return static_cast<int>(thread.member->team->level == 0 ? offer_threads(thread)
                                                          : thread.task->icvs->nthreads);
}

void omp_set_dynamic(int on) { IcvChange()->dyn = on != 0; }

int omp_get_dynamic() { return current_icvs().dyn ? 1 : 0; }

// Deprecated since 5.0: max-active-levels-var controls nesting.
void omp_set_nested(int on) {
  IcvChange icvs;
  if (on != 0) {
    icvs->max_active_levels = kSupportedActiveLevels;
  } else if (icvs->max_active_levels > 1) {
    icvs->max_active_levels = 1;
  }
}

int omp_get_nested() {
  const unsigned levels = current_icvs().max_active_levels;
  return levels > 1 && levels > current_team().active_level ? 1 : 0;
}

void omp_set_max_active_levels(int levels) {
  if (levels < 0) return;
  const unsigned wanted = static_cast<unsigned>(levels);
  IcvChange()->max_active_levels =
      wanted < kSupportedActiveLevels ? wanted : kSupportedActiveLevels;
}

int omp_get_max_active_levels() { return static_cast<int>(current_icvs().max_active_levels); }

int omp_get_supported_active_levels() { return static_cast<int>(kSupportedActiveLevels); }

int omp_get_thread_limit() { return static_cast<int>(current_icvs().thread_limit); }

int omp_get_cancellation() { return settled_icvs().cancellation ? 1 : 0; }

void omp_set_schedule(int kind, int chunk) {
  const unsigned bits = static_cast<unsigned>(kind);
  const unsigned plain = bits & ~kMonotonicBit;
  if (plain < static_cast<unsigned>(ScheduleKind::Static) ||
      plain > static_cast<unsigned>(ScheduleKind::Auto)) {
    return;
  }
  IcvChange icvs;
  Schedule& schedule = icvs->run_sched;
  schedule.kind = static_cast<ScheduleKind>(plain);
  schedule.modifier = bits != plain ? ScheduleModifier::Monotonic : ScheduleModifier::None;
  const long least = schedule.kind == ScheduleKind::Static ? 0 : 1;
  // A chunk has no meaning for auto, so the old one is kept.
  if (schedule.kind != ScheduleKind::Auto) schedule.chunk = chunk < 1 ? least : chunk;
}

void omp_get_schedule(int* kind, int* chunk) {
  const Schedule& schedule = current_icvs().run_sched;
  unsigned bits = static_cast<unsigned>(schedule.kind);
  if (schedule.modifier == ScheduleModifier::Monotonic) bits |= kMonotonicBit;
  *kind = static_cast<int>(bits);
  *chunk = static_cast<int>(schedule.chunk);
}

// --- Teams on the host.

int omp_get_num_teams() { return static_cast<int>(current_team().num_teams); }

int omp_get_team_num() { return static_cast<int>(current_team().team_num); }

// On the host teams and leagues have one dimension.

int omp_get_num_threads_dim(int dimension) { return dimension == 0 ? omp_get_num_threads() : 1; }

int omp_get_thread_num_dim(int dimension) { return dimension == 0 ? omp_get_thread_num() : 0; }

int omp_get_thread_limit_dim(int dimension) { return dimension == 0 ? omp_get_thread_limit() : 1; }

int omp_get_num_teams_dim(int dimension) { return dimension == 0 ? omp_get_num_teams() : 1; }

int omp_get_team_num_dim(int dimension) { return dimension == 0 ? omp_get_team_num() : 0; }

void omp_set_num_teams(int count) {
  if (count >= 0) change_num_teams(static_cast<unsigned>(count));
}

int omp_get_max_teams() { return static_cast<int>(settled_icvs().nteams); }

void omp_set_teams_thread_limit(int limit) {
  if (limit >= 0) change_teams_thread_limit(static_cast<unsigned>(limit));
}

int omp_get_teams_thread_limit() { return static_cast<int>(settled_icvs().teams_thread_limit); }
