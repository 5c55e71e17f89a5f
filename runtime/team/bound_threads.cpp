// SPDX-License-Identifier: Apache-2.0
#include "team/bound_threads.h"

#include "sched/monitor.h"
#include "sched/pool.h"
#include "sched/post_to_place.h"
#include "team/member.h"

namespace bobbin {
namespace {

// The first function on a thread's stack. The worker that carries it switched to it as to a fiber
// that goes on.
template <LeavingFor (*kPart)(void*)>
void begin_as_fiber(void* message) {
  static_cast<Worker*>(message)->arrive();
  const LeavingFor loop = kPart(tls_thread);
  void* unused;
  bobbin_switch_context(&unused, loop.load, loop.message,
                        static_cast<Worker*>(loop.message)->native_tls);
}

void make_ready(Thread& thread, void (*begin)(void*)) {
  thread.sp = make_context(thread.stack->top(), begin);
}

}  // namespace

void launch_bound_threads(Team& team, Worker& worker) {
  watch_for_stuck_workers();
  FiberChain chain;
  for (unsigned num = 1; num < team.size; num++) {
    Thread& thread = *team.members[num]->thread;
    const int place = thread.placement.place;
    thread.place.store(place, relaxed);
    make_ready(thread, begin_as_fiber<begin_claimed>);
    if (chain.count != 0 && chain.newest->place.load(relaxed) != place) {
      post_to_place(chain, worker);
      chain = {};
    }
    chain.add(thread);
  }
  if (chain.count != 0) post_to_place(chain, worker);
}

void raise_bound_thread(Team& team, uint64_t region, Worker& worker) {
  if (!team.participants.enter(region)) return;
  Member* member = take_any_resting(team, region);
  if (member == nullptr) return leave_region(team);
  make_ready(*member->thread, begin_as_fiber<rise_adopted>);
  FiberChain chain;
  chain.add(*member->thread);
  post_to_place(chain, worker);
}

}  // namespace bobbin
