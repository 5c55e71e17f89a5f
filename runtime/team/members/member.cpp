// SPDX-License-Identifier: Apache-2.0
#include "team/members/member.h"

#include <utility>

#include "fiber/tls/tls_block.h"
#include "platform/watchers/happens_before.h"
#include "sched/signals/signals.h"
#include "sched/workers/pool.h"
#include "sched/workers/signal_mask.h"
#include "sched/workers/tell_worker.h"
#include "team/members/at_home.h"
#include "team/members/fork_child.h"
#include "team/members/placement.h"
#include "team/members/tool_events.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

void help_with_tasks(Thread& thread, Team& team) {
  while (true) {
    while (team.has_tasks.load(relaxed) && run_tasks_at_barrier(thread)) {
    }
    if (thread.away == 0) return;
    await_returners(thread);
  }
}

// Gives the member away: another worker may adopt it at once and write to its thread. The caller no
// longer owns either. It must have read everything that it still needs, and it must not use TLS
// variables until the next carry() or put_down().
void rest(Member& member, Team& team) {
  expect_others(team);  // for instance one that continues after the region
  happens_before(&team.participants);
  member.rested.store(team.region, release);
}

}  // namespace

bool take_resting(Member& member, uint64_t region) {
  uint64_t expected = region;
  return member.rested.load(relaxed) == region &&
         member.rested.compare_exchange_strong(expected, 0, acq_rel, relaxed);
}

Member* take_any_resting(Team& team, uint64_t region) {
  for (unsigned num = 1; num < team.size; num++) {
    if (take_resting(*team.members[num], region)) return team.members[num];
  }
  return nullptr;
}

namespace {

// The kernel thread now carries the thread, on the thread's own stack. The thread pointer changes
// under the caller, so the caller must not touch TLS variables itself.
[[gnu::noinline]] void pick_up(Thread& thread) {
  set_thread_pointer(thread.tls);
  if (!thread.tls_started) [[unlikely]] {
    thread.tls_started = true;
    start_tls_block();
  }
}

// The thread has ended. The worker that carries it now goes back to its loop, and part_ended() is
// called there, because the stack may be in use again as soon as the member rests. The TLS block
// may be in use again, too, although the loop still has its thread pointer.
LeavingFor put_down(Thread& thread) {
  thread.own_member->float_control.save();
  Worker& here = *thread.worker;
  here.ended = &thread;
  return {here.loop_sp, &here};
}

}  // namespace

LeavingFor begin_claimed(void* argument) {
  auto& thread = *static_cast<Thread*>(argument);
  pick_up(thread);
  deliver_pending_signals(thread);
  run_member(*thread.own_member);
  return put_down(thread);
}

LeavingFor rise_adopted(void* argument) {
  auto& thread = *static_cast<Thread*>(argument);
  pick_up(thread);
  deliver_pending_signals(thread);
  thread.own_member->adopted = true;
  thread.own_member->float_control.load();
  help_with_tasks(thread, *thread.own_member->team);
  return put_down(thread);
}

bool go_on_with(Thread& thread, Worker& worker, LeavingFor (*what)(void*)) {
  thread.worker = &worker;
  if (tool::watched) [[unlikely]]
    tell_carries(worker, thread);
  match_signal_mask(worker, thread);
  bobbin_begin_on_stack(&worker.loop_sp, thread.stack->top(), what, &thread);
  return worker.come_back();
}

namespace {

[[gnu::noinline]] void arrange_for_modes(Member& member, const Team& team) {
  if (Mode* last = std::exchange(member.arranged_by, nullptr)) last->let_go(member);
  for (Mode* mode = team.mode.load(acquire); mode != nullptr; mode = mode->next.load(acquire)) {
    mode->arrange(member);
  }
}

}  // namespace

void belong_to(Team& team, Member& member) {
  member.team = &team;
  member.end_moved_task = end_moved_task;
  member.team_size = &team.size;
}

void begin_member(Member& member, Team& team) {
  Task& task = member.implicit;
  task.runner = member.thread;
  task.parent = team.encountering_task;
  task.group = team.region_group;
  task.icvs = &team.icvs;
  if (task.extras != nullptr) release_extras(task);
  task.children.store(0, relaxed);
  task.references.store(1, relaxed);
  member.adopted = false;
  member.position = WorkSharePosition{};
  member.defer_limit = team.serial() ? 0 : kFirstDeferLimit;
  if (in_mode(team) || member.arranged_by != nullptr) [[unlikely]]
    arrange_for_modes(member, team);
  member.defers_all = team.defers_all();
  if (member.defers_all) member.defer_limit = kDeferAll;
  member.thread->task = &task;
  member.thread->withdraw_permits();
  if (whereabouts.matters()) [[unlikely]]
    member.processor = whereabouts.of(member.thread->worker->index);
  if (global_icvs().display_affinity) [[unlikely]]
    tell_affinity_change();
  if (team.watched) [[unlikely]]
    tell_implicit_task_begin(member);
}

[[gnu::noinline]] void run_member(Member& member) {
  Team& team = *member.team;
  begin_member(member, team);
  team.float_control.load();
  happens_after(&team);
  if (team.watched) [[unlikely]]
    set_exit_frame(*member.thread, __builtin_frame_address(0));
  team.function(team.data);
  if (team.watched) [[unlikely]]
    end_watched_implicit_task(member);
  help_with_tasks(*member.thread, team);
}

void rest_after_region(Member& member) {
  Team& team = *member.team;
  const bool entered = member.adopted;
  const unsigned num = member.num;
  const unsigned size = team.size;
  Thread* primary = team.members[0]->thread;
  rest(member, team);
  const bool last = entered ? team.participants.leave() : team.participants.rest(num, size);
  if (last) resume_untold(*primary);
}

void leave_region(Team& team) {
  Thread* primary = team.members[0]->thread;
  if (team.participants.leave()) resume_untold(*primary);
}

bool rise_for_tasks(Member& member, Team& team, uint64_t region) {
  if (!team.participants.enter(region)) return false;
  member.rested.store(0, relaxed);
  help_with_tasks(*member.thread, team);
  rest(member, team);
  leave_region(team);
  return true;
}

bool adopt_for_signals(Member& member, Team& team, Worker& worker) {
  const uint64_t region = member.rested.load(relaxed);
  if (region == 0 || !team.participants.enter(region)) return false;
  if (!take_resting(member, region)) {
    leave_region(team);
  } else if (is_kept(*member.thread)) {
    begin_at_home<rise_adopted>(*member.thread);
  } else if (go_on_with(*member.thread, worker, rise_adopted)) {
    set_thread_pointer(worker.native_tls);
  }
  return true;
}

namespace {

void deliver(Thread& thread) { deliver_pending_signals(thread); }

}  // namespace

void call_on_its_stack(Thread& thread, Worker& worker) {
  if (is_kept(thread)) return do_at_home<deliver>(thread);
  auto handle = [](void* argument) {
    auto& visited = *static_cast<Thread*>(argument);
    pick_up(visited);
    deliver_pending_signals(visited);
    Worker& here = *visited.worker;
    return LeavingFor{here.loop_sp, &here};
  };
  go_on_with(thread, worker, handle);
  set_thread_pointer(worker.native_tls);
}

}  // namespace bobbin
