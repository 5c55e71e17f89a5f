// SPDX-License-Identifier: Apache-2.0
#include "construct/exchange.h"

#include "construct/reduction.h"
#include "team/barrier.h"

namespace bobbin {

void* const* begin_exchange(Thread& thread, void* own) {
  const Member& member = *thread.member;
  auto* memory = reinterpret_cast<void*>(member.team->size * sizeof(void*));
  enter_share_with(thread, {nullptr, &memory}, [](WorkShare&) {});
  auto* all = static_cast<void**>(memory);
  all[member.num] = own;
  barrier_wait(thread);
  return all;
}

void end_exchange(Thread& thread) {
  barrier_wait(thread);
  leave_share(thread);
}

}  // namespace bobbin
