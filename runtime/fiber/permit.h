// SPDX-License-Identifier: Apache-2.0
// A permit to execute tasks in place without asking anyone.
//
// Whether a thread may execute a task in place depends on much: thieves have enough tasks, the
// region is not cancelled, the taskgroup has no state, the stack has room. The answer seldom
// changes. So it is one word, the lowest stack address at which a call may begin. It is the end of
// the stack's room while the permit holds, and above all addresses while it does not. Code in
// programs compares the stack pointer with it, and that is all it tests. Without the permit it asks
// the runtime, which looks at everything and may give the permit (task/create/permits.h).
//
// Invariant: when all of the following is over, the permit does not hold unless its condition does.
//   - The thread itself gives and withdraws it. It gives it, and after a fence looks at the
//     condition again.
//   - Whoever makes the condition false withdraws the permit afterwards: the thread itself by a
//     store, another thread by a fence and a store.
// One of the two fences is first. Either the thread sees the condition as it is now, or the other
// thread's store follows that of the thread and is the one that stays. To withdraw a permit in vain
// does no harm, so nobody who does so needs to know whether the thread is still where it was.
#pragma once

#include <cstdint>

#include "platform/atomic.h"

namespace bobbin {

class Permit {
 public:
  bool holds_at(const char* stack) const {
    return reinterpret_cast<uintptr_t>(stack) >= from_.load(relaxed);
  }

  // By the thread itself. `limit`: the end of its stack's room.
  template <class Condition>
  void give(const char* limit, Condition&& condition) {
    post(limit);
    fence(seq_cst);
    if (!condition()) withdraw();
  }
  // The same along with another permit that is given next. The condition of that one looks for
  // both.
  void post(const char* limit) { from_.store(reinterpret_cast<uintptr_t>(limit), relaxed); }
  void withdraw() { from_.store(kNowhere, relaxed); }

  // By another thread, which has made the condition false.
  void withdraw_from_outside() {
    fence(seq_cst);
    withdraw();
  }

 private:
  static constexpr uintptr_t kNowhere = UINTPTR_MAX;

  Atomic<uintptr_t> from_{kNowhere};
};

}  // namespace bobbin
