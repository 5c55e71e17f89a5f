// SPDX-License-Identifier: Apache-2.0
#include "team/carriers/fibers.h"

#include "fiber/context/stack.h"
#include "fiber/tls/tls_block.h"
#include "sched/workers/pool.h"
#include "team/carriers/inlined_self.h"
#include "team/carriers/kept_threads.h"
#include "team/members/member.h"
#include "team/model/root.h"

namespace bobbin {

namespace {

// Destructors of the thread's objects may use OpenMP, open regions and wait. No worker carries the
// thread any more. So the calling thread executes them, with the ended thread's block.
void end_tls_block(ThreadPointer block) {
  Thread& caller = *tls_thread;
  const ThreadPointer own = caller.tls;
  set_self_in(block, &caller);
  caller.tls = block;
  give_tls_block(block);
  caller.tls = own;
}

// What start_fiber() has given it.
void take_back(Thread& thread) {
  end_tls_block(thread.tls);
  thread.tls = nullptr;
  thread.stack->thread_num = -1;
  give_stack(thread.stack);
  thread.stack = nullptr;
}

}  // namespace

bool start_fiber(Thread& thread, Thread& forking) {
  // A root without a stack for its loop could not carry the thread.
  if (!provide_loop(*forking.root->home)) return false;
  thread.stack = take_stack();
  if (thread.stack == nullptr) return false;
  thread.tls = take_tls_block();
  if (thread.tls == nullptr) {
    give_stack(thread.stack);
    return false;
  }
  thread.use_stack(thread.stack->reserve());
  thread.stack->thread_num = static_cast<int>(thread.member->num);
  set_self_in(thread.tls, &thread);
  if (inherit_home(thread, forking)) return true;
  take_back(thread);
  return false;
}

void end_fiber(Thread& thread) {
  if (is_kept(thread)) end_at_home(thread);
  take_back(thread);
  forget_affinity(thread);
}

// No worker carries the thread. So the calling one executes the function, with the thread's block.
void call_as_fiber(Thread& thread, void (*function)(Thread&)) {
  struct Call {
    Thread& thread;
    void (*function)(Thread&);
  } call{thread, function};
  thread.worker = tls_thread->worker;
  call_with_tls_block(
      thread.tls,
      [](void* message) {
        auto& called = *static_cast<Call*>(message);
        called.function(called.thread);
      },
      &call);
}

void launch_fibers(Team& team, Worker& worker) {
  refresh_tls_blocks();
  team.unbegun.fill(1, team.size);
  publish(team, worker, team.size - 1);
}

void call_worker_for_tasks(Team& team, const Thread& caller) {
  if (!all_take_part(team) || team.unbegun.any()) wake_helper(team, *caller.worker);
}

}  // namespace bobbin
