// SPDX-License-Identifier: Apache-2.0
#include "team/carriers/kernel_thread.h"

#include "env/icv.h"
#include "fiber/context/stack.h"
#include "platform/locks/futex.h"
#include "platform/memory/share.h"
#include "platform/signals/detached_thread.h"
#include "sched/workers/pool.h"
#include "team/carriers/inlined_self.h"
#include "team/members/member.h"
#include "team/members/placement.h"
#include "team/model/team.h"

namespace bobbin {
namespace {

void answer_call(Thread& thread) {
  thread.called.load(relaxed)(thread);
  thread.called.store(nullptr, relaxed);
  thread.calls_answered.fetch_add(1, release);
  futex_wake(thread.calls_answered, 1);
}

void* kernel_main(void* argument) {
  auto& thread = *static_cast<Thread*>(argument);
  set_self(&thread);
  thread.tls = current_thread_pointer();
  thread.worker->belong_to_caller();
  // The frames above this one are within native_stack_size().
  thread.use_stack(stack_reserve_below(__builtin_frame_address(0), global_icvs().stack_size));
  thread.worker->alt_stack.install();
  uint32_t seen = 0;
  Member& member = *thread.own_member;
  // The team and the region of the last launch: between regions the member may go to another team,
  // or have no part in the next region of this one.
  Team* team = nullptr;
  uint64_t region = 0;
  auto tasks_wait = [&] {
    return team != nullptr && team->participants.is_of(region) && wants_worker(*team);
  };
  for (;;) {
    if (thread.called.load(acquire) != nullptr) [[unlikely]]
      answer_call(thread);
    uint32_t launch = thread.launch.load(acquire);
    if (launch == kEndThread) break;
    if (launch != seen) {
      seen = launch;
      team = member.team;
      move_to_place(thread);
      run_member(member);
      region = team->region;
      rest_after_region(member);
    } else if (team == nullptr || !tasks_wait() || !rise_for_tasks(member, *team, region)) {
      WaitBegin begin;
      await(
          thread, begin,
          [&] {
            return thread.launch.load(acquire) != seen || tasks_wait() ||
                   thread.called.load(acquire) != nullptr;
          },
          [] {}, RestingSpin{{thread}});
    }
  }
  thread.worker->alt_stack.remove();
  unregister_worker(thread.worker);
  set_self(nullptr);  // from here on, destructors of its objects run as a root
  thread.launch.store(kThreadGone, release);
  futex_wake(thread.launch, 1);
  return nullptr;
}

}  // namespace

bool start_kernel_thread(Thread& thread, Thread&) {
  Worker* worker = register_worker(WorkerKind::Thread);
  if (worker == nullptr) return false;
  thread.worker = worker;
  thread.launch.store(0, relaxed);
  const size_t stack_bytes = global_icvs().stack_size + native_stack_size();
  if (room_for_stack(stack_bytes, worker->index) &&
      start_detached(kernel_main, &thread, stack_bytes)) {
    return true;
  }
  unregister_worker(worker);
  return false;
}

void end_kernel_thread(Thread& thread) {
  thread.launch.store(kEndThread, release);
  resume(thread);
  while (thread.launch.load(acquire) != kThreadGone) futex_wait(thread.launch, kEndThread);
}

void call_as_kernel_thread(Thread& thread, void (*function)(Thread&)) {
  const uint32_t before = thread.calls_answered.load(relaxed);
  thread.called.store(function, release);
  resume(thread);
  while (thread.calls_answered.load(acquire) == before) {
    futex_wait(thread.calls_answered, before);
  }
}

void launch_kernel_threads(Team& team, Worker&) {
  for (unsigned num = 1; num < team.size; num++) {
    Thread& thread = *team.members[num]->thread;
    thread.launch.store(next_launch(thread.launch.load(relaxed)), release);
    resume(thread);
  }
}

void call_resting_kernel_thread(Team& team, const Thread&) {
  if (all_take_part(team)) return;
  for (unsigned num = 1; num < team.size; num++) {
    Member& member = *team.members[num];
    if (member.rested.load(relaxed) != team.region) continue;
    resume(*member.thread);
    return;
  }
}

}  // namespace bobbin
