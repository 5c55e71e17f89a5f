// SPDX-License-Identifier: Apache-2.0
#include "construct/regions/parallel.h"

#include <algorithm>
#include <climits>

#include "construct/regions/fair_share.h"
#include "env/icv.h"
#include "platform/diagnostics.h"
#include "sched/places/processor_changes.h"
#include "sched/roots/admission.h"
#include "sched/workers/bound_places.h"
#include "sched/workers/worker.h"
#include "team/members/placement.h"
#include "team/members/tool_events.h"
#include "team/model/root.h"

namespace bobbin {
namespace {

// Without a limit threads are not counted: the counter would be a word that all nested regions
// write.
bool limited(const Icvs& icvs) { return icvs.thread_limit != kNoThreadLimit; }

// Free agents are counted in the group's limit whether they have been started or not.
unsigned limit_of(const Icvs& icvs) {
  return std::min(icvs.thread_limit, global_icvs().structured_thread_limit);
}

// Adds up to `wanted` threads to a contention group and returns how many there was room for. This
// is one step, because the group's threads may meet parallel constructs at the same time.
unsigned take_from_limit(Atomic<unsigned>& group_threads, unsigned limit, unsigned wanted) {
  unsigned used = group_threads.load(relaxed);
  unsigned taken;
  do {
    unsigned available = limit > used ? limit - used : 0;
    taken = wanted < available ? wanted : available;
  } while (taken != 0 &&
           !group_threads.compare_exchange_weak(used, used + taken, relaxed, relaxed));
  return taken;
}

// How many threads a region asked for by this thread gets (section 10.1.1), before the limit is
// applied. `requested`: the num_threads clause, 0 if there is none; `active`: the if clause. A
// negative number in a clause, which no program may have, counts as none.
unsigned determine_team_size(Thread& thread, unsigned requested, bool active) {
  const Icvs& icvs = *thread.task->icvs;
  const Team& team = *thread.member->team;
  if (!active || requested == 1 || team.active_level >= icvs.max_active_levels) return 1;
  if (requested > INT_MAX) requested = 0;
  unsigned size = requested != 0 ? requested : icvs.nthreads;
  if (icvs.dyn) {
    const unsigned processors = processors_now();
    if (size > processors) size = processors;
  }
  if (global_icvs().share == Share::Fair && team.level == 0) {
    const unsigned part = fair_team_size(thread, size);
    if (requested == 0) size = part;
  }
  return size != 0 ? size : 1;
}

}  // namespace

unsigned offer_threads(Thread& thread) {
  // A region will follow. If other roots exclude this one, it waits for its turn. A region of one
  // thread takes no processor from others.
  const unsigned size = thread.task->icvs->nthreads;
  Worker* home = thread.home;
  if (size > 1 && home != nullptr && thread.worker == home && !home->active.load(relaxed)) {
    await_admission(*home);
  }
  return global_icvs().share == Share::Fair ? tell_fair_size(thread, size) : size;
}

Team& take_team_for_region(Thread& thread, const ParallelClauses& clauses) {
  const Icvs& icvs = *thread.task->icvs;
  unsigned size = determine_team_size(thread, clauses.num_threads, clauses.active);
  Atomic<unsigned>& group_threads = *thread.member->team->group_threads;
  bool counted = limited(icvs) && size > 1;
  if (counted) size = 1 + take_from_limit(group_threads, limit_of(icvs), size - 1);
  Team* team = assemble(thread, size, icvs);
  if (team == nullptr) fatal("out of memory at a parallel construct");
  if (counted && team->size < size) group_threads.fetch_sub(size - team->size, relaxed);
  if (icvs.bind != ProcBind::False || threads_are_bound) {
    assign_places(thread, *team, clauses.has_bind ? clauses.bind : icvs.bind);
  }
  if (team->watched) [[unlikely]]
    tell_region_begin(thread, team->tool, team->size, clauses.num_threads,
                      ompt_parallel_invoker_runtime | ompt_parallel_team);
  return *team;
}

void end_parallel() {
  Thread& thread = self();
  Team& team = *thread.member->team;
  unsigned size = team.size;
  const bool watched = team.watched;
  if (watched) [[unlikely]]
    end_watched_implicit_task(*thread.member);
  join(thread, team);
  if (limited(*thread.task->icvs) && size > 1) {
    thread.member->team->group_threads->fetch_sub(size - 1, relaxed);
  }
  if (watched) [[unlikely]]
    tell_region_end(thread, team.tool);
}

[[gnu::noinline]] void call_watched(void (*function)(void*), void* data) {
  set_exit_frame(self(), __builtin_frame_address(0));
  function(data);
}

void require_threads(const Team& team, unsigned wanted, Severity severity, const char* message) {
  if (team.size >= wanted) return;
  error_directive(severity,
                  message != nullptr ? message : "fewer threads than num_threads(strict) asks for");
}

}  // namespace bobbin
