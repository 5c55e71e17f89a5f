// SPDX-License-Identifier: Apache-2.0
#include "construct/reductions/exchange.h"

#include "construct/cancel.h"
#include "construct/reductions/reduction.h"
#include "team/members/barrier.h"

namespace bobbin {
namespace {

void* const* show(Thread& thread, void* own) {
  const Member& member = *thread.member;
  auto* memory = reinterpret_cast<void*>(member.team->size * sizeof(void*));
  enter_share_with(thread, {nullptr, &memory}, [](WorkShare&) {});
  auto* all = static_cast<void**>(memory);
  all[member.num] = own;
  return all;
}

}  // namespace

void* const* begin_exchange(Thread& thread, void* own) {
  void* const* all = show(thread, own);
  barrier_wait(thread);
  return all;
}

void* const* begin_cancellable_exchange(Thread& thread, void* own) {
  void* const* all = show(thread, own);
  if (!cancellable_barrier(thread, ompt_sync_region_barrier_implementation)) return all;
  leave_share(thread);
  return nullptr;
}

void end_exchange(Thread& thread) {
  barrier_wait(thread);
  leave_share(thread);
}

}  // namespace bobbin
