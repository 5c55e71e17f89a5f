// SPDX-License-Identifier: Apache-2.0
//
// Fortran's names of the routines in parallel.cpp and of the task routines.
#include "abi/omp/fortran.h"
#include "abi/omp/omp_api.h"

using bobbin::nearest_int;

// --- Threads and teams.

BOBBIN_ENTRY std::int32_t omp_get_num_threads_() { return omp_get_num_threads(); }
BOBBIN_ENTRY std::int32_t omp_get_thread_num_() { return omp_get_thread_num(); }
BOBBIN_ENTRY std::int32_t omp_in_parallel_() { return omp_in_parallel(); }
BOBBIN_ENTRY std::int32_t omp_get_level_() { return omp_get_level(); }
BOBBIN_ENTRY std::int32_t omp_get_active_level_() { return omp_get_active_level(); }
BOBBIN_ENTRY std::int32_t omp_get_num_procs_() { return omp_get_num_procs(); }
BOBBIN_ENTRY std::int32_t omp_get_ancestor_thread_num_(const std::int32_t* level) {
  return omp_get_ancestor_thread_num(*level);
}
BOBBIN_ENTRY std::int32_t omp_get_ancestor_thread_num_8_(const std::int64_t* level) {
  return omp_get_ancestor_thread_num(nearest_int(*level));
}
BOBBIN_ENTRY std::int32_t omp_get_team_size_(const std::int32_t* level) {
  return omp_get_team_size(*level);
}
BOBBIN_ENTRY std::int32_t omp_get_team_size_8_(const std::int64_t* level) {
  return omp_get_team_size(nearest_int(*level));
}

// --- ICVs of the current task.

BOBBIN_ENTRY void omp_set_num_threads_(const std::int32_t* count) { omp_set_num_threads(*count); }
BOBBIN_ENTRY void omp_set_num_threads_8_(const std::int64_t* count) {
  omp_set_num_threads(nearest_int(*count));
}
BOBBIN_ENTRY std::int32_t omp_get_max_threads_() { return omp_get_max_threads(); }
BOBBIN_ENTRY void omp_set_dynamic_(const std::int32_t* on) { omp_set_dynamic(*on); }
BOBBIN_ENTRY void omp_set_dynamic_8_(const std::int64_t* on) { omp_set_dynamic(*on != 0); }
BOBBIN_ENTRY std::int32_t omp_get_dynamic_() { return omp_get_dynamic(); }
BOBBIN_ENTRY void omp_set_nested_(const std::int32_t* on) { omp_set_nested(*on); }
BOBBIN_ENTRY void omp_set_nested_8_(const std::int64_t* on) { omp_set_nested(*on != 0); }
BOBBIN_ENTRY std::int32_t omp_get_nested_() { return omp_get_nested(); }
BOBBIN_ENTRY void omp_set_max_active_levels_(const std::int32_t* levels) {
  omp_set_max_active_levels(*levels);
}
BOBBIN_ENTRY void omp_set_max_active_levels_8_(const std::int64_t* levels) {
  omp_set_max_active_levels(nearest_int(*levels));
}
BOBBIN_ENTRY std::int32_t omp_get_max_active_levels_() { return omp_get_max_active_levels(); }
BOBBIN_ENTRY std::int32_t omp_get_supported_active_levels_() {
  return omp_get_supported_active_levels();
}
BOBBIN_ENTRY std::int32_t omp_get_thread_limit_() { return omp_get_thread_limit(); }
BOBBIN_ENTRY std::int32_t omp_get_cancellation_() { return omp_get_cancellation(); }

BOBBIN_ENTRY void omp_set_schedule_(const std::int32_t* kind, const std::int32_t* chunk) {
  omp_set_schedule(*kind, *chunk);
}
BOBBIN_ENTRY void omp_set_schedule_8_(const std::int32_t* kind, const std::int64_t* chunk) {
  omp_set_schedule(*kind, nearest_int(*chunk));
}

namespace {

// The modifier is left out: a Fortran program compares the kind with the plain constants.
template <class Integer>
void get_plain_schedule(std::int32_t* kind, Integer* chunk) {
  int plain_kind, plain_chunk;
  omp_get_schedule(&plain_kind, &plain_chunk);
  *kind = plain_kind & INT_MAX;
  *chunk = plain_chunk;
}

}  // namespace

BOBBIN_ENTRY void omp_get_schedule_(std::int32_t* kind, std::int32_t* chunk) {
  get_plain_schedule(kind, chunk);
}
BOBBIN_ENTRY void omp_get_schedule_8_(std::int32_t* kind, std::int64_t* chunk) {
  get_plain_schedule(kind, chunk);
}

// --- Teams on the host.

BOBBIN_ENTRY std::int32_t omp_get_num_teams_() { return omp_get_num_teams(); }
BOBBIN_ENTRY std::int32_t omp_get_team_num_() { return omp_get_team_num(); }
BOBBIN_ENTRY void omp_set_num_teams_(const std::int32_t* count) { omp_set_num_teams(*count); }
BOBBIN_ENTRY void omp_set_num_teams_8_(const std::int64_t* count) {
  omp_set_num_teams(nearest_int(*count));
}
BOBBIN_ENTRY std::int32_t omp_get_max_teams_() { return omp_get_max_teams(); }
BOBBIN_ENTRY void omp_set_teams_thread_limit_(const std::int32_t* limit) {
  omp_set_teams_thread_limit(*limit);
}
BOBBIN_ENTRY void omp_set_teams_thread_limit_8_(const std::int64_t* limit) {
  omp_set_teams_thread_limit(nearest_int(*limit));
}
BOBBIN_ENTRY std::int32_t omp_get_teams_thread_limit_() { return omp_get_teams_thread_limit(); }

// --- Tasks.

BOBBIN_ENTRY std::int32_t omp_is_free_agent_() { return omp_is_free_agent(); }
BOBBIN_ENTRY std::int32_t omp_ancestor_is_free_agent_(const std::int32_t* level) {
  return omp_ancestor_is_free_agent(*level);
}
BOBBIN_ENTRY std::int32_t omp_in_final_() { return omp_in_final(); }
BOBBIN_ENTRY std::int32_t omp_in_explicit_task_() { return omp_in_explicit_task(); }
BOBBIN_ENTRY std::int32_t omp_get_max_task_priority_() { return omp_get_max_task_priority(); }
// The handle is passed by value, as the interface in omp_lib says.
BOBBIN_ENTRY void omp_fulfill_event_(std::uintptr_t event) { omp_fulfill_event(event); }
