// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "platform/signal_set.h"

namespace bobbin {

struct Fiber;

// Signals that were sent to a thread and that it has not handled yet; one of each number, as the
// kernel keeps them of numbers below SIGRTMIN. Senders and the thread, each perhaps in a signal
// handler, take no lock.
//
// Invariant: a bit of `claimed` is set by one sender, which alone writes the slot until it sets the
// bit of `pending`. From then on the slot is the thread's, which clears first that bit and, when it
// has read the slot, the one of `claimed`.
class PendingSignals {
 public:
  // See sched/errands.h.
  Atomic<bool> listed{false};
  Fiber* next_listed = nullptr;

  // False: one of this number is pending already.
  bool add(const siginfo_t& info) {
    const SignalSet bit = bit_of_signal(info.si_signo);
    if ((claimed_.fetch_or(bit, acquire) & bit) != 0) return false;
    infos_[info.si_signo - 1] = info;
    pending_.fetch_or(bit, release);
    return true;
  }

  bool any_of(SignalSet wanted) const { return (pending_.load(relaxed) & wanted) != 0; }

  // The one of the lowest number among `wanted`. By the thread. False: there is none.
  bool take(SignalSet wanted, siginfo_t& info) {
    const SignalSet there = pending_.load(acquire) & wanted;
    if (there == 0) return false;
    const int signal = __builtin_ctzll(there) + 1;
    const SignalSet bit = bit_of_signal(signal);
    // A handler may have interrupted the thread just here and taken it.
    if ((pending_.fetch_and(~bit, acquire) & bit) == 0) return take(wanted & ~bit, info);
    info = infos_[signal - 1];
    claimed_.fetch_and(~bit, release);
    return true;
  }

 private:
  Atomic<SignalSet> pending_{0};
  Atomic<SignalSet> claimed_{0};
  siginfo_t infos_[kSignals] = {};
};

}  // namespace bobbin
