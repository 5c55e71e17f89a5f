// SPDX-License-Identifier: Apache-2.0
#include "team/regions/roots.h"

#include <pthread.h>

#include "fiber/tls/tls_block.h"
#include "platform/diagnostics.h"
#include "platform/locks/fork_lock.h"
#include "platform/locks/spinlock.h"
#include "platform/memory.h"
#include "sched/roots/sharing_roots.h"
#include "sched/workers/bound_places.h"
#include "sched/workers/pool.h"
#include "team/carriers/inlined_self.h"
#include "team/members/member.h"
#include "team/members/placement.h"
#include "team/members/tool_events.h"
#include "team/model/root.h"
#include "team/model/task_hooks.h"
#include "team/regions/fork_join.h"
#include "team/regions/free_agents.h"
#include "team/regions/team_store.h"

namespace bobbin {

constinit thread_local Thread* tls_thread = nullptr;

namespace {

// Exists also for a thread that has not called into the runtime yet.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool stack_is_known = false;

}  // namespace

void note_own_stack_is_known() {
  stack_is_known = true;
  if (tls_thread != nullptr) tls_thread->use_stack(nullptr);
}

namespace {

SpinLock lock;
Root* unused;  // guarded by lock
pthread_key_t key;

Root* take_root() {
  SpinGuard guard(lock);
  Root* root = unused;
  if (root != nullptr) unused = root->next;
  return root;
}

// The kernel thread ends. Its records are pooled, because other threads may still look at them.
void detach_root(void* argument) {
  auto* root = static_cast<Root*>(argument);
  const bool is_initial = !root->is_free_agent;
  end_free_agents(root->thread);
  dissolve_kept_teams(root->thread);
  if (tool::watched) {
    if (is_initial) tell_initial_task_end(root->thread, root->initial_team);
    tell_thread_end(root->thread);
  }
  forget_affinity(root->thread);
  root->home->alt_stack.remove();
  stop_sharing(*root->home);
  root->home->admission.asked_at = 0;
  unregister_worker(root->home);
  set_self(nullptr);
  if (all_roots() == 0) end_pool();
  // Tasks that wait for an event, for example, may still refer to the root. The team's counts are
  // the last that such a task leaves.
  if (!tasks_quiescent(root->initial_team)) return;
  let_agents_return(*root);
  SpinGuard guard(lock);
  root->next = unused;
  unused = root;
}

void place_initial_team(Root& root) {
  Team& team = root.initial_team;
  Member& member = root.initial_member;
  team.root = &root;
  team.group.store(&root, relaxed);
  team.group_threads = &root.threads;
  team.icvs = initial_icvs();
  team.members = root.initial_members;
  team.capacity = team.made = team.size = 1;
  team.agent_seats = global_icvs().free_agents;
  team.barrier.asleep = BitsetView(&root.asleep_bits, 1);
  team.unbegun = BitsetView(&root.unbegun_bits, 1);
  team.participants.open(team.region, 1);
  team.watch(tool::watched);
  // The record may have been another kernel thread's.
  reset_task_counts(team);
  member.position = WorkSharePosition{};
  belong_to(team, member);
  member.thread = &root.thread;
  member.defers_all = team.defers_all();
  if (member.defers_all) member.defer_limit = kDeferAll;
  if (member.implicit.extras != nullptr) release_extras(member.implicit);
  member.implicit.group = nullptr;
  member.implicit.icvs = &team.icvs;
  member.implicit.runner = &root.thread;
  root.thread.member = &member;
  root.thread.task = &member.implicit;
  root.thread.withdraw_permits();
}

}  // namespace

Fiber* current_fiber() { return tls_thread; }

void init_roots() {
  pthread_key_create(&key, detach_root);
  add_fork_lock(held_across_fork<lock>);
}

namespace {

// `agent`: nullptr, or the free agent that the thread is.
Thread& attach(const FreeAgent* agent) {
  Root* root = take_root();
  if (root == nullptr) root = make_lasting<Root>();
  Worker* worker = root != nullptr ? register_worker(WorkerKind::Root) : nullptr;
  if (worker == nullptr) {
    fatal(
        "no memory for the first OpenMP construct of a thread, or more than %u threads use OpenMP",
        kMaxWorkers);
  }
  root->home = worker;
  root->root = &root->thread;
  if (provider.threads_move) provide_loop(*worker);
  Thread& thread = root->thread;
  thread.root = root;
  thread.group.store(root, relaxed);
  thread.home = worker;
  thread.worker = worker;
  thread.tls = worker->native_tls;
  const bool known = stack_is_known;  // the next call sets it, too
  thread.use_stack(native_stack_reserve());
  stack_is_known = known;
  if (known) thread.use_stack(nullptr);
  thread.state.store(0, relaxed);
  thread.blocked = worker->blocked;
  thread.handlers = {};
  if (thread.signals.load(relaxed) == nullptr) {
    thread.signals.store(make_lasting<PendingSignals>(), relaxed);
  }
  place_initial_team(*root);
  set_self(&thread);
  // From here on a signal to this kernel thread belongs to the root.
  std::atomic_signal_fence(std::memory_order_release);
  worker->group = root;
  pthread_setspecific(key, root);
  worker->alt_stack.install();
  thread.placement = Placement{};
  thread.bound_place = -1;
  if (global_icvs().binds_threads())
    assign_initial_place(thread, agent != nullptr ? 1 + agent->index : 0);
  thread.place.store(thread.placement.place, relaxed);
  if (threads_are_bound) {
    if (bound_places().count() == 0) fatal("no memory for the places to which threads are bound");
    belong_to_place(*worker, thread.placement.place);
  }
  if (agent != nullptr) {
    root->agents.store(agent->group, relaxed);
    root->is_free_agent = true;
    if (tool::watched) tell_thread_begin(thread, ompt_thread_worker);
  } else if (tool::watched) {
    tell_thread_begin(thread, ompt_thread_initial);
    tell_initial_task_begin(thread, root->initial_team);
  }
  return thread;
}

}  // namespace

Thread& attach_root() {
  init_runtime();
  return attach(nullptr);
}

Thread& attach_free_agent(const FreeAgent& agent) { return attach(&agent); }

}  // namespace bobbin
