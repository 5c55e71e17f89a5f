// SPDX-License-Identifier: Apache-2.0
#include "team/carriers/bound_threads.h"
#include "team/members/at_home.h"

#include "fiber/tls/tls_block.h"
#include "sched/monitor/monitor.h"
#include "sched/places/post_to_place.h"
#include "sched/workers/pool.h"
#include "sched/workers/ticket.h"
#include "team/members/member.h"

namespace bobbin {
namespace {

// `thread` is a ready fiber that has not begun.
void make_ready(Thread& thread, int place) {
  if (thread.place.load(relaxed) != place) thread.place.store(place, relaxed);
  thread.sp = nullptr;
}

// The first thread of a block makes the others ready, in the worker that carries it. So a place
// gets one fiber from the forking thread, and of the others nothing has to come from another
// processor, if they ran in this place before.
void make_block_ready(const Team& team, unsigned first, int place, Worker& here) {
  FiberChain chain;
  for (unsigned num = first + 1; num < team.size && team.blocks[num].first == first; num++) {
    Thread& thread = *team.members[num]->thread;
    make_ready(thread, place);
    chain.add(thread);
  }
  if (chain.count != 0) post_to_place(chain, here);
}

LeavingFor begin_bound(void* argument) {
  const auto& thread = *static_cast<Thread*>(argument);
  const Member& member = *thread.own_member;
  make_block_ready(*member.team, member.num, thread.place.load(relaxed), *thread.worker);
  return begin_claimed(argument);
}

}  // namespace

void begin_part(Fiber& fiber, Worker& worker) {
  if (go_on_with(static_cast<Thread&>(fiber), worker, begin_bound)) {
    set_thread_pointer(worker.native_tls);
  }
}

void prepare_to_begin(Fiber& fiber) {
  fiber.sp = make_context(fiber.stack->top(), begin_as_fiber<begin_bound>);
}

void launch_bound_threads(Team& team, Worker& worker) {
  refresh_tls_blocks();
  watch_for_stuck_workers();
  for (unsigned num = 1; num < team.size; num++) {
    const PlaceBlock& block = team.blocks[num];
    if (block.first != num) continue;
    Thread& thread = *team.members[num]->thread;
    make_ready(thread, block.place);
    FiberChain chain;
    chain.add(thread);
    post_to_place(chain, worker);
  }
  make_block_ready(team, 0, team.blocks[0].place, worker);
}

void raise_bound_thread(Team& team, uint64_t region, Worker& worker) {
  if (!team.participants.enter(region)) return;
  Member* member = take_any_resting(team, region);
  if (member == nullptr) return leave_region(team);
  Thread& thread = *member->thread;
  if (is_kept(thread)) return begin_at_home<rise_adopted>(thread);
  thread.sp = make_context(thread.stack->top(), begin_as_fiber<rise_adopted>);
  FiberChain chain;
  chain.add(thread);
  post_to_place(chain, worker);
}

void call_bound_thread(Team& team, const Thread& caller) {
  if (!all_take_part(team)) raise_bound_thread(team, team.region, *caller.worker);
}

}  // namespace bobbin
