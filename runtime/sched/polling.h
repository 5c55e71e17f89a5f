// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/clock.h"

// Threads that wait in a loop of sched_yield(), for something that the runtime does not see, yield
// to each other. What they wait for may be another process or a kernel thread of the program's own,
// which gets no processor as long as they do. So a worker whose fibers yield again and again, none
// getting on with anything, polls; and where all workers with work do, they let the kernel's other
// threads have a turn, as kernel threads would at every yield.
//
// Where one works the others go on polling: it is the one they wait for, as a rule, and who lets
// go of a processor that others want has it back only after a time slice.
namespace bobbin {

// Of one worker, by its fibers; `polls` is for others, too.
class Polling {
 public:
  // A yield, so `soon` after the one before that it can have taken no more than a look at what is
  // waited for? True at every eighth of many such in a row: the worker polls.
  bool yields(uint64_t now, uint64_t soon) {
    in_a_row_ = now - yielded_at_ < soon ? in_a_row_ + 1 : 0;
    yielded_at_ = now;
    if (in_a_row_ < kMany || in_a_row_ % kTurns != 0) return false;
    polled_at_.store(now, relaxed);
    return true;
  }

  // Its kernel thread has gone to let others run, and polls all the while.
  template <class Call>
  void away(Call&& call) {
    polled_at_.store(kAway, relaxed);
    call();
    yielded_at_ = ticks();
    polled_at_.store(yielded_at_, relaxed);
  }

  // Has it done so of late?
  bool polls(uint64_t now, uint64_t recently) const {
    const uint64_t at = polled_at_.load(relaxed);
    // The counter may have begun anew meanwhile, or another processor's be a little behind.
    return at == kAway || now - at < recently || at - now < recently;
  }

 private:
  static constexpr unsigned kMany = 32;
  static constexpr unsigned kTurns = 8;
  static constexpr uint64_t kAway = ~uint64_t{0};

  uint64_t yielded_at_ = 0;
  unsigned in_a_row_ = 0;
  Atomic<uint64_t> polled_at_{0};  // in ticks
};

}  // namespace bobbin
