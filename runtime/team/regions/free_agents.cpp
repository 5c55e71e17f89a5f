// SPDX-License-Identifier: Apache-2.0
#include "team/regions/free_agents.h"

#include "platform/diagnostics.h"
#include "platform/keep_errno.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/futex.h"
#include "platform/memory.h"
#include "platform/signals/detached_thread.h"
#include "platform/watchers/happens_before.h"
#include "sched/roots/credentials.h"
#include "sched/workers/pool.h"
#include "team/members/fork_child.h"
#include "team/members/member.h"
#include "team/members/tool_events.h"
#include "team/model/root.h"
#include "team/model/task_hooks.h"

namespace bobbin {
namespace {

Root& root_of(const Thread& thread) { return static_cast<Root&>(*thread.group.load(relaxed)); }

SpinLock making;
OnceFlag said_fewer;

// nullptr: no memory.
FreeAgents* agents_of(Root& root) {
  if (FreeAgents* agents = root.agents.load(acquire)) return agents;
  SpinGuard guard(making);
  if (root.own_agents == nullptr) {
    auto* made = make_lasting<FreeAgents>();
    if (made == nullptr) return nullptr;
    for (unsigned i = 0; i < kMostFreeAgents; i++) {
      made->agents[i].group = made;
      made->agents[i].index = i;
    }
    root.own_agents = made;
  }
  root.agents.store(root.own_agents, release);
  return root.own_agents;
}

// The seat as it is when no agent has executed a task in the region yet. The team's floating-point
// control is the caller's.
void prepare_seat(Member& seat, Team& team) {
  belong_to(team, seat);
  seat.defer_limit = kDeferAll;
  seat.position = WorkSharePosition{};
  seat.float_control.save();
  Task& task = seat.implicit;
  task.parent = team.encountering_task;
  task.group = nullptr;
  task.icvs = &team.icvs;
  if (task.extras != nullptr) release_extras(task);
  task.children.store(0, relaxed);
  task.references.store(1, relaxed);
}

// False: no memory for them.
bool prepare_seats(Team& team) {
  for (unsigned i = 0; i < team.agent_seats; i++) {
    Member*& seat = team.members[team.capacity + i];
    if (seat == nullptr) {
      seat = make_lasting<Member>();
      if (seat == nullptr) return false;
      seat->index = team.capacity + i;
      seat->num = kUnassignedThread;
      seat->free_agent = true;
      seat->defers_all = true;
    }
    prepare_seat(*seat, team);
  }
  return true;
}

[[gnu::noinline]] bool begin_service(Thread& thread, Team& team) {
  FreeAgents* agents = agents_of(root_of(thread));
  if (agents == nullptr) return false;
  SpinGuard guard(agents->lock);
  if (team.agents.load(relaxed) != nullptr) return true;
  if (!prepare_seats(team)) return false;
  team.unusual.store(true, relaxed);
  team.next_served = agents->served;
  agents->served = &team;
  team.agents.store(agents, release);
  return true;
}

// The team is served, so its mode takes part.
const SharedQueue& tasks_for_agents(const Team& team) {
  return mode_of(team, ModeRank::Pool)->tasks;
}

// Enters a region that has a task for an agent.
Team* enter_one(const FreeAgent& agent) {
  FreeAgents& group = *agent.group;
  if (!group.offers.any()) return nullptr;
  SpinGuard guard(group.lock);
  for (Team* team = group.served; team != nullptr; team = team->next_served) {
    if (!tasks_for_agents(*team).empty() && team->participants.enter_as_guest()) return team;
  }
  return nullptr;
}

// All members may sleep at the barrier, which the last task has kept closed.
void tell_if_last(Team& team) {
  fence(seq_cst);
  if (!team.barrier.asleep.any() || !tasks_quiescent(team)) return;
  const int sleeper = team.barrier.asleep.claim_lowest();
  if (sleeper >= 0) resume(*team.members[sleeper]->thread);
}

void leave_team(Team& team) {
  happens_before(&team.participants);
  Thread* primary = team.members[0]->thread;
  if (team.participants.leave_as_guest()) resume_untold(*primary);
}

// Executes tasks of the team until it finds none.
void serve(const FreeAgent& agent, Team& team) {
  Thread& thread = *agent.thread;
  Member& seat = *team.members[team.capacity + agent.index];
  Member* const own_member = thread.member;
  Task* const own_task = thread.task;
  FloatControl own_control;
  own_control.save();
  seat.float_control.load();
  seat.thread = &thread;
  seat.implicit.runner = &thread;
  thread.member = &seat;
  thread.task = &seat.implicit;
  thread.withdraw_permits();
  thread.home->active.store(true, relaxed);
  if (team.watched) [[unlikely]]
    watch_free_agent(seat);
  while (run_tasks_at_barrier(thread)) tell_if_last(team);
  expect_others(team);
  if (team.watched) [[unlikely]]
    watch_free_agent_no_more(thread);
  thread.home->active.store(false, relaxed);
  thread.member = own_member;
  thread.task = own_task;
  thread.withdraw_permits();
  own_control.load();
  leave_team(team);
}

void* agent_main(void* argument) {
  auto& agent = *static_cast<FreeAgent*>(argument);
  FreeAgents& group = *agent.group;
  Thread& thread = attach_free_agent(agent);
  agent.thread = &thread;
  for (;;) {
    if (Team* team = enter_one(agent)) {
      serve(agent, *team);
      continue;
    }
    if (group.ending.load(acquire)) break;
    cpu_pause();
    WaitBegin begin;
    await(
        thread, begin, [&] { return group.offers.any() || group.ending.load(relaxed); },
        [&] { group.offers.announce(agent.index); }, RestingSpin{{thread}});
    group.offers.withdraw(agent.index);
  }
  agent.gone.store(1, release);
  futex_wake(agent.gone, 1);
  return nullptr;
}

[[gnu::noinline]] void start_another(FreeAgents& agents) {
  SpinGuard guard(agents.lock);
  const unsigned index = agents.started.load(relaxed);
  if (index >= agents.most || agents.ending.load(relaxed)) return;
  KeepErrno keep;
  agents.agents[index].gone.store(0, relaxed);
  const size_t stack_bytes = global_icvs().stack_size + native_stack_size();
  if (start_detached(agent_main, &agents.agents[index], stack_bytes)) {
    guard_credentials();
    agents.started.store(index + 1, relaxed);
  } else {
    agents.most = index;
    warn_once(said_fewer, "cannot start a kernel thread for free agent %u; going on with fewer",
              index + 1);
  }
}

}  // namespace

bool let_agents_serve(Thread& thread) {
  Team& team = *thread.member->team;
  return team.agents.load(relaxed) != nullptr || begin_service(thread, team);
}

void call_agent(FreeAgents& agents) {
  const int sleeper = agents.offers.add();
  if (sleeper >= 0) {
    resume(*agents.agents[sleeper].thread);
  } else if (agents.started.load(relaxed) < agents.most) {
    start_another(agents);
  }
}

void end_service(Team& team) {
  FreeAgents* agents = team.agents.load(relaxed);
  if (agents == nullptr) return;
  SpinGuard guard(agents->lock);
  Team** link = &agents->served;
  while (*link != &team) link = &(*link)->next_served;
  *link = team.next_served;
  team.agents.store(nullptr, relaxed);
}

void end_free_agents(Thread& thread) {
  Root& root = root_of(thread);
  FreeAgents* agents = root.agents.load(relaxed);
  if (root.is_free_agent) {
    root.agents.store(nullptr, relaxed);  // they are another root's
    root.is_free_agent = false;
    return;
  }
  if (agents == nullptr) return;
  if (root.initial_team.agents.load(relaxed) != nullptr) {
    while (run_tasks_at_barrier(thread)) {
    }
  }
  agents->ending.store(true, relaxed);
  fence(seq_cst);
  for (int agent; (agent = agents->offers.claim_sleeper()) >= 0;) {
    resume(*agents->agents[agent].thread);
  }
  const unsigned started = agents->started.load(relaxed);
  for (unsigned i = 0; i < started; i++) {
    Atomic<uint32_t>& gone = agents->agents[i].gone;
    while (gone.load(acquire) == 0) futex_wait(gone, 0);
  }
}

void let_agents_return(Root& root) {
  FreeAgents* agents = root.agents.load(relaxed);
  if (agents == nullptr) return;
  end_service(root.initial_team);
  agents->started.store(0, relaxed);
  agents->ending.store(false, relaxed);
}

namespace {

// The child of a fork has no agents, and its teams have given up what they could not keep
// (team/members/fork_child.h). New agents are started for the tasks of the teams around; but not if
// the caller is one itself, because the child does not know which seat is free.
void go_on_alone() {
  if (tls_thread == nullptr) return;
  const Root& root = root_of(*tls_thread);
  FreeAgents* agents = root.agents.load(relaxed);
  if (agents == nullptr) return;
  agents->lock.free_in_child();
  agents->offers.go_on_alone();
  agents->started.store(0, relaxed);
  if (root.is_free_agent) agents->most = 0;
  agents->served = nullptr;
  each_team_around(*tls_thread, [&](Team& team) {
    if (team.agents.load(relaxed) != agents) return;
    team.next_served = agents->served;
    agents->served = &team;
    for (int64_t i = tasks_for_agents(team).size.load(relaxed); i > 0; i--) agents->offers.add();
  });
}

}  // namespace

// In the child, what is added first comes last.
void init_free_agents() { add_fork_lock(held_across_fork<making, go_on_alone>); }

}  // namespace bobbin
