// SPDX-License-Identifier: Apache-2.0
// Regions, barriers and mutual exclusion of translated programs.
#include "construct/regions/parallel.h"
#include "abi/call_site.h"
#include "abi/export.h"
#include "bobbin/native.h"
#include "construct/cancel.h"
#include "construct/locks/critical.h"
#include "construct/locks/watched_locks.h"
#include "construct/tool_events.h"
#include "construct/worksharing/ordered.h"
#include "platform/diagnostics.h"
#include "task/model/icvs.h"
#include "team/members/barrier.h"

using namespace bobbin;

static_assert(static_cast<int>(Cancellable::Parallel) == bobbin_omp_cancel_parallel &&
              static_cast<int>(Cancellable::Loop) == bobbin_omp_cancel_for &&
              static_cast<int>(Cancellable::Sections) == bobbin_omp_cancel_sections &&
              static_cast<int>(Cancellable::Taskgroup) == bobbin_omp_cancel_taskgroup);

namespace {

ompt_sync_region_t tools_kind(int kind) {
  return kind == bobbin_omp_explicit_barrier ? ompt_sync_region_barrier_explicit
                                             : ompt_sync_region_barrier_implicit_workshare;
}

Lock& critical_lock(void** place) {
  return place == nullptr ? unnamed_critical : *reinterpret_cast<Lock*>(place);
}

ParallelClauses clauses_of(unsigned threads, unsigned bind) {
  ParallelClauses clauses;
  clauses.num_threads = threads;
  clauses.bind = static_cast<ProcBind>(bind);
  clauses.has_bind = bind != 0;
  return clauses;
}

void apply(const bobbin_omp_parallel_clauses& clauses, const Team& team) {
  if (clauses.is_strict == 0) return;
  require_threads(team, clauses.threads,
                  clauses.only_warns != 0 ? Severity::Warning : Severity::Fatal, clauses.message);
}

// The policy of a region is that of the task that forks it.
void parallel_with_policy(void (*function)(void*), void* data, const ParallelClauses& clauses,
                          const bobbin_omp_parallel_clauses& more) {
  const TaskPolicy before = current_icvs().task_policy;
  TaskPolicy wanted = before;
  if (!read_task_policy(more.task_policy, PolicyPart::All, wanted)) {
    fatal("ompx_task_schedule: '%s' is not %s", more.task_policy, kTaskPolicySyntax);
  }
  IcvChange()->task_policy = wanted;
  parallel_with(function, data, clauses, [&](Team& team) { apply(more, team); });
  IcvChange()->task_policy = before;
}

}  // namespace

BOBBIN_NATIVE_ENTRY void bobbin_omp_parallel(void (*function)(void*), void* data, unsigned threads,
                                             unsigned bind) {
  BOBBIN_CALL_SITE_OF(function);
  parallel(function, data, clauses_of(threads, bind));
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_parallel_with(void (*function)(void*), void* data,
                                                  const bobbin_omp_parallel_clauses* more) {
  BOBBIN_CALL_SITE_OF(function);
  const ParallelClauses clauses = clauses_of(more->threads, more->bind);
  if (more->task_policy != nullptr) {
    parallel_with_policy(function, data, clauses, *more);
  } else {
    parallel_with(function, data, clauses, [&](Team& team) { apply(*more, team); });
  }
}

BOBBIN_NATIVE_ENTRY void bobbin_omp_barrier(int kind) {
  BOBBIN_CALL_SITE;
  barrier_wait(self(), tools_kind(kind));
}
BOBBIN_NATIVE_ENTRY int bobbin_omp_cancellable_barrier(int kind) {
  BOBBIN_CALL_SITE;
  return cancellable_barrier(self(), tools_kind(kind)) ? 1 : 0;
}

BOBBIN_NATIVE_ENTRY int bobbin_omp_cancel(int region, int condition) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  const auto which = static_cast<Cancellable>(region);
  return (condition != 0 ? cancel(thread, which) : is_cancelled(thread, which)) ? 1 : 0;
}
BOBBIN_NATIVE_ENTRY int bobbin_omp_cancellation_point(int region) {
  BOBBIN_CALL_SITE;
  return is_cancelled(self(), static_cast<Cancellable>(region)) ? 1 : 0;
}

BOBBIN_NATIVE_ENTRY int bobbin_omp_masked_begin(int filter) {
  BOBBIN_CALL_SITE;
  Thread& thread = self();
  const bool executes = thread.member->num == static_cast<unsigned>(filter);
  if (tool::watched && executes) [[unlikely]]
    tell_masked(thread, ompt_scope_begin);
  return executes ? 1 : 0;
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_masked_end() {
  BOBBIN_CALL_SITE;
  if (tool::watched) [[unlikely]]
    tell_masked(self(), ompt_scope_end);
}

// A name's lock has the place that GCC's code gives it, so the same name excludes both.
BOBBIN_NATIVE_ENTRY void bobbin_omp_critical_begin(void** lock) {
  lock_for(ompt_mutex_critical, critical_lock(lock), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_critical_end(void** lock) {
  unlock_for(ompt_mutex_critical, critical_lock(lock), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_combine_begin() {
  lock_for(ompt_mutex_atomic, combining, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_combine_end() {
  unlock_for(ompt_mutex_atomic, combining, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_atomic_begin() {
  lock_for(ompt_mutex_atomic, atomic_fallback, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_atomic_end() {
  unlock_for(ompt_mutex_atomic, atomic_fallback, BOBBIN_RETURN_ADDRESS);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_ordered_begin() {
  enter_ordered_for(self(), BOBBIN_RETURN_ADDRESS);
}
BOBBIN_NATIVE_ENTRY void bobbin_omp_ordered_end() {
  leave_ordered_for(self(), BOBBIN_RETURN_ADDRESS);
}
