// SPDX-License-Identifier: Apache-2.0
#include "team/carriers/kept_threads.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "env/icv.h"
#include "fiber/tls/tls_block.h"
#include "platform/locks/handlers_wait.h"
#include "sched/monitor/monitor.h"
#include "sched/places/post_to_place.h"
#include "sched/signals/in_handler.h"
#include "sched/signals/signals.h"
#include "sched/workers/bound_places.h"
#include "sched/workers/pool.h"
#include "team/members/at_home.h"
#include "team/members/member.h"
#include "team/model/root.h"

namespace bobbin {
namespace {

void end_objects(Thread&) { end_values_of_tls_block(); }

}  // namespace

void end_at_home(Thread& thread) {
  if (thread.tls_started) do_at_home<end_objects>(thread);
  end_home(thread);
}

namespace {

// From the first kept thread on these launch the teams: what a kept thread costs, a program without
// one does not pay.

void launch_with_kept(Team& team, Worker& worker) {
  refresh_tls_blocks();
  unsigned others = 0;
  for (unsigned num = 1; num < team.size; num++) {
    Thread& thread = *team.members[num]->thread;
    if (is_kept(thread)) {
      begin_at_home<begin_claimed>(thread);
    } else {
      team.unbegun.set(num);  // from here on it may run, and get a home, at any time
      others++;
    }
  }
  publish(team, worker, others);
}

// No thread makes others ready here, because the first of a block may be a kept one.
void launch_bound_with_kept(Team& team, Worker& worker) {
  refresh_tls_blocks();
  watch_for_stuck_workers();
  for (unsigned num = 1; num < team.size; num++) {
    Thread& thread = *team.members[num]->thread;
    thread.place.store(team.blocks[num].place, relaxed);
    if (is_kept(thread)) {
      begin_at_home<begin_claimed>(thread);
      continue;
    }
    thread.sp = make_context(thread.stack->top(), begin_as_fiber<begin_claimed>);
    FiberChain chain;
    chain.add(thread);
    post_to_place(chain, worker);
  }
}

// A kept thread that rests comes at once; another one needs a worker.
void call_kept(Team& team, const Thread& caller) {
  for (unsigned num = 1; num < team.size && !all_take_part(team); num++) {
    Member& member = *team.members[num];
    if (!is_kept(*member.thread) || member.rested.load(relaxed) != team.region) continue;
    if (!team.participants.enter(team.region)) return;
    if (take_resting(member, team.region)) return begin_at_home<rise_adopted>(*member.thread);
    leave_region(team);
  }
  (threads_are_bound ? bound_fibers : fibers).call_resting(team, caller);
}

// Other threads read the pointers without synchronisation. Each finds the new one at the latest
// when it forks a team with a kept thread: that thread was kept in an earlier region of the team,
// or has been made by the forking thread itself.
void launch_with_kept_from_now_on() {
  const auto launch = threads_are_bound ? launch_bound_with_kept : launch_with_kept;
  std::atomic_ref(provider.launch).store(launch, std::memory_order_relaxed);
  std::atomic_ref(provider.call_resting).store(call_kept, std::memory_order_relaxed);
  std::atomic_ref(provider.calls_resting).store(true, std::memory_order_relaxed);
}

bool move_to_a_home(Thread& thread) {
  launch_with_kept_from_now_on();
  if (!make_home(thread)) return false;
  go_home(thread);
  return true;
}

// Nothing in the process has been made by OpenMP yet. So what the root takes hold of is the state
// of the process, for all that OpenMP will make.
bool root_is_all_there_is(const Thread& thread) {
  return is_root(thread) && thread.kept == nullptr && !thread.home->active.load(relaxed) &&
         all_roots() == 1 && global_icvs().free_agents == 0 && pool_usage().helpers == 0 &&
         pool_usage().spares == 0;
}

// A handler that the kernel has called must return where it was called, and a caller within the
// runtime may use the worker that carries it. The child of a vfork has the memory of the thread
// that made it.
bool may_move(const Thread& thread) {
  return handlers_wait == 0 &&
         thread.worker->kernel_thread == static_cast<pid_t>(syscall(SYS_gettid)) &&
         !in_signal_handler(thread);
}

void hand_down_from(Thread& thread) {
  watch_for_stuck_workers();  // the monitor, which makes other workers, is made before
  thread.home->hands_down = true;
}

}  // namespace

namespace {

bool keeps_already(const Thread& thread, Hold hold) {
  if (thread.home == nullptr) return false;
  if (hold == Hold::Stay) return true;
  return !thread.home->carries_others && (hold == Hold::Alone || thread.home->hands_down);
}

}  // namespace

bool keep_kernel_thread(Hold hold) {
  Thread* thread = tls_thread;
  if (thread == nullptr || !provider.threads_move || thread->worker == nullptr) return true;
  if (keeps_already(*thread, hold) || !may_move(*thread)) return true;
  if (thread->home == nullptr) {
    if (!move_to_a_home(*thread)) return false;
  } else if (hold == Hold::HandDown && root_is_all_there_is(*thread)) {
    return true;
  } else if (is_root(*thread)) {
    carry_only_the_root(*thread->home);
  }
  if (hold == Hold::HandDown && !thread->home->hands_down) hand_down_from(*thread);
  return true;
}

namespace {
Atomic<bool> all_new_ones{false};
}  // namespace

void keep_all_new_threads() { all_new_ones.store(true, relaxed); }

bool inherit_home(Thread& thread, const Thread& forking) {
  if (!forking.worker->hands_down && !all_new_ones.load(relaxed)) return true;
  launch_with_kept_from_now_on();
  return make_home(thread);
}

}  // namespace bobbin
