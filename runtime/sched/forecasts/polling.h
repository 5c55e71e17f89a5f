// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/clocks/clock.h"

// Threads that wait in a loop of sched_yield(), for something that the runtime does not see, yield
// to each other. They may wait for another process or for a kernel thread of the program's own,
// which gets no processor as long as they do so. So a worker polls if its fibers yield again and
// again and none makes progress. If all workers with work poll, they let the kernel's other threads
// have a turn, as kernel threads would at every yield.
//
// If one worker does not poll, the others go on polling. As a rule it is the one that they wait
// for, and a thread that gives up a processor that others want gets it back only after a time
// slice.
namespace bobbin {

// State of one worker, used by its fibers; others call `polls`, too.
class Polling {
 public:
  // A fiber yields. If it does so within `soon` after the yield before, it can have done no more
  // than look at what it waits for. True at every eighth of many such yields in a row: the worker
  // polls.
  bool yields(uint64_t now, uint64_t soon) {
    in_a_row_ = now - yielded_at_ < soon ? in_a_row_ + 1 : 0;
    yielded_at_ = now;
    if (in_a_row_ < kMany || in_a_row_ % kTurns != 0) return false;
    polled_at_.store(now, relaxed);
    return true;
  }

  // Runs `call`, in which the kernel thread lets others run. The worker counts as polling
  // meanwhile.
  template <class Call>
  void away(Call&& call) {
    polled_at_.store(kAway, relaxed);
    call();
    yielded_at_ = ticks();
    polled_at_.store(yielded_at_, relaxed);
  }

  // Has the worker polled recently?
  bool polls(uint64_t now, uint64_t recently) const {
    const uint64_t at = polled_at_.load(relaxed);
    // The counter may have started again meanwhile, or another processor's counter may be a little
    // behind.
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
