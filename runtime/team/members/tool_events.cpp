// SPDX-License-Identifier: Apache-2.0
#include "team/members/tool_events.h"

#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "sched/workers/provider.h"
#include "sched/workers/tell_worker.h"
#include "team/members/barrier.h"
#include "team/model/task_hooks.h"
#include "tool/start.h"

namespace bobbin {
namespace {

using tool::callbacks;
using tool::tell;

SpinLock lock;
tool::ThreadState* begun;  // guarded by lock

ompt_state_t state_of_wait(ompt_sync_region_t kind) {
  switch (kind) {
    case ompt_sync_region_barrier_implicit_parallel:
      return ompt_state_wait_barrier_implicit_parallel;
    case ompt_sync_region_barrier_implicit_workshare:
      return ompt_state_wait_barrier_implicit_workshare;
    case ompt_sync_region_barrier_implementation:
      return ompt_state_wait_barrier_implementation;
    case ompt_sync_region_barrier_teams:
      return ompt_state_wait_barrier_teams;
    case ompt_sync_region_taskwait:
      return ompt_state_wait_taskwait;
    case ompt_sync_region_taskgroup:
      return ompt_state_wait_taskgroup;
    default:
      return ompt_state_wait_barrier_explicit;
  }
}

// At the end of a region the tool may already have forgotten it.
ompt_data_t* region_at(ompt_scope_endpoint_t endpoint, tool::Region& region) {
  return endpoint == ompt_scope_end ? nullptr : &region.data;
}

void tell_implicit_task(Member& member, ompt_scope_endpoint_t endpoint) {
  Team& team = *member.team;
  const bool initial = member.tool.flags == ompt_task_initial;
  const bool in_league = team.tool.league != nullptr;
  // The initial task of a root has the number 1, and at its end no threads.
  const unsigned number = in_league ? team.team_num : initial ? 1 : member.num;
  const bool ended = initial && endpoint == ompt_scope_end;
  const unsigned parallelism = ended ? 0 : in_league ? team.num_teams : team.size;
  ompt_data_t* region =
      ended && !in_league ? &member.tool.region->data : region_at(endpoint, *member.tool.region);
  tell(callbacks.implicit_task, endpoint, region, &member.tool.data, parallelism, number,
       member.tool.flags);
}

void begin_task_state(tool::TaskState& task, Team& team, unsigned num, int flags) {
  task = {};
  task.flags = flags;
  task.thread_num = num;
  task.region = team.tool.league != nullptr ? team.tool.league : &team.tool;
  task.interrupted = team.tool.encountering;
}

}  // namespace

void init_tool_events() { add_fork_lock(held_across_fork<lock>); }

void tell_thread_begin(Thread& thread, ompt_thread_t type) {
  tool::ThreadState& state = thread.tool;
  if (state.begun.load(relaxed)) return;
  state.data = {};
  state.state = ompt_state_overhead;
  state.begun.store(true, release);
  {
    SpinGuard guard(lock);
    state.previous = nullptr;
    state.next = begun;
    if (begun != nullptr) begun->previous = &state;
    begun = &state;
  }
  tell(callbacks.thread_begin, type, &state.data);
  tell_carries(*thread.worker, thread);
}

ompt_data_t* data_for_tool(Fiber& fiber) {
  tool::ThreadState& state = static_cast<Thread&>(fiber).tool;
  return state.begun.load(acquire) ? &state.data : nullptr;
}

namespace {

void forget(tool::ThreadState& state) {
  SpinGuard guard(lock);
  (state.previous != nullptr ? state.previous->next : begun) = state.next;
  if (state.next != nullptr) state.next->previous = state.previous;
}

// Called by the thread. When the process ends, by another one, if the thread is in a region.
void tell_end(tool::ThreadState& state) {
  tool::ThreadState* caller = tls_thread != nullptr ? &tls_thread->tool : &state;
  tool::ThreadState* const before = caller->speaks_for;
  caller->speaks_for = &state;
  tell(callbacks.thread_end, &state.data);
  caller->speaks_for = before;
  state.begun.store(false, relaxed);
  forget(state);
}

}  // namespace

void tell_thread_end(Thread& thread) {
  if (thread.tool.begun.load(relaxed)) tell_end(thread.tool);
}

void tell_initial_task_begin(Thread& thread, Team& team) {
  Member& member = *thread.member;
  team.tool = {};
  begin_task_state(member.tool, team, 0, ompt_task_initial);
  thread.tool.task = &member.tool;
  thread.tool.state = ompt_state_work_serial;
  tell_implicit_task(member, ompt_scope_begin);
}

void tell_initial_task_end(Thread& thread, Team& team) {
  tell_implicit_task(*team.members[0], ompt_scope_end);
  thread.tool.state = ompt_state_undefined;
}

void tell_region_begin(Thread& thread, tool::Region& region, unsigned size, unsigned requested,
                       int flags) {
  tool::TaskState& encountering = *thread.tool.task;
  region = {};
  region.code = thread.tool.code;
  region.size = size;
  region.flags = flags;
  region.encountering = &encountering;
  tell(callbacks.parallel_begin, &encountering.data,
       static_cast<const ompt_frame_t*>(&encountering.frame), &region.data,
       requested != 0 ? requested : size, flags, region.code);
}

void tell_region_end(Thread& thread, tool::Region& region) {
  tool::TaskState& encountering = *region.encountering;
  thread.tool.task = &encountering;
  thread.tool.state = working_in(*thread.member->team);
  thread.tool.code = nullptr;
  tell(callbacks.parallel_end, &region.data, &encountering.data, region.flags, region.code);
}

void watch_initial_region(Thread& thread, Team& team, tool::Region* league) {
  team.tool = {};
  team.tool.encountering = thread.tool.task;
  team.tool.league = league;
}

void end_initial_region(Thread& thread, Team& team) {
  end_watched_implicit_task(*team.members[0]);
  thread.tool.task = team.tool.encountering;
}

void watch_free_agent(Member& seat) {
  Thread& thread = *seat.thread;
  begin_task_state(seat.tool, *seat.team, seat.num, ompt_task_implicit);
  thread.tool.task = &seat.tool;
  thread.tool.state = ompt_state_overhead;
}

void watch_free_agent_no_more(Thread& thread) {
  thread.tool.task = nullptr;
  thread.tool.state = ompt_state_idle;
}

void tell_implicit_task_begin(Member& member) {
  Team& team = *member.team;
  Thread& thread = *member.thread;
  tell_thread_begin(thread, ompt_thread_worker);
  // Level 0: the initial task of a team of a league, or of a target region.
  begin_task_state(member.tool, team, member.num,
                   team.level == 0 ? ompt_task_initial : ompt_task_implicit);
  thread.tool.task = &member.tool;
  thread.tool.state = working_in(team);
  tell_implicit_task(member, ompt_scope_begin);
}

void end_watched_implicit_task(Member& member) {
  Team& team = *member.team;
  Thread& thread = *member.thread;
  member.tool.frame.exit_frame = {};
  member.tool.frame.exit_frame_flags = 0;
  if (team.serial()) {
    barrier_wait(thread);
  } else {
    const void* code = member.num == 0 ? team.tool.code : nullptr;
    const WatchedWait wait(thread, ompt_sync_region_barrier_implicit_parallel, code);
    barrier_wait(thread);
  }
  // The barrier of a cancelled region does not wait for tasks.
  while (team.cancelled.load(relaxed) && run_tasks_at_barrier(thread)) {
  }
  tell_implicit_task(member, ompt_scope_end);
  thread.tool.state = ompt_state_idle;
}

WatchedWait::WatchedWait(Thread& thread, ompt_sync_region_t kind, const void* code)
    : thread_(&thread),
      kind_(kind),
      code_(code),
      task_(*thread.tool.task),
      outer_(thread.tool.state) {
  if (kind != ompt_sync_region_taskgroup) tell(ompt_scope_begin, false);
  thread_->tool.state = state_of_wait(kind);
  tell(ompt_scope_begin, true);
}

WatchedWait::~WatchedWait() {
  tell(ompt_scope_end, true);
  thread_->tool.state = outer_;
  tell(ompt_scope_end, false);
}

void WatchedWait::tell(ompt_scope_endpoint_t endpoint, bool waits) const {
  const bool of_region = kind_ == ompt_sync_region_barrier_implicit_parallel;
  ompt_data_t* region = of_region ? region_at(endpoint, *task_.region) : &task_.region->data;
  tool::tell(waits ? callbacks.sync_region_wait : callbacks.sync_region, kind_, endpoint, region,
             &task_.data, code_);
}

bool watched_barrier_wait(Thread& thread, ompt_sync_region_t kind) {
  const WatchedWait wait(thread, kind, thread.tool.code);
  return barrier_wait(thread);
}

namespace {

// In their own thread-local storage. The threads wait for their next region.
void tell_kept_threads_end(Thread& thread) {
  for (Team* team = thread.kept; team != nullptr; team = team->kept_next) {
    for (unsigned num = 1; num < team->made; num++) {
      Thread& kept = *team->members[num]->own_thread;
      tell_kept_threads_end(kept);
      if (kept.tool.begun.load(relaxed)) provider.call_as(kept, tell_thread_end);
    }
  }
}

void tell_all_threads_end() {
  for (;;) {
    tool::ThreadState* state;
    {
      SpinGuard guard(lock);
      state = begun;
    }
    if (state == nullptr) return;
    tell_end(*state);
  }
}

}  // namespace

void stop_watching() {
  if (!tool::watched) return;
  Thread* thread = tls_thread;
  if (thread != nullptr && thread->member->team->level == 0) {
    tell_initial_task_end(*thread, *thread->member->team);
  }
  if (thread != nullptr) tell_kept_threads_end(*thread);
  tell_all_threads_end();
  tool::finalize_tool();
}

}  // namespace bobbin
