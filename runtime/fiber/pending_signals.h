// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/atomic.h"
#include "platform/signal_set.h"

namespace bobbin {

struct Fiber;

// Signals that were sent to a thread and that it has not handled yet. There is at most one of each
// number, as the kernel keeps them for numbers below SIGRTMIN. The senders and the thread take no
// lock, and each of them may be in a signal handler.
//
// Invariant: one sender sets a bit of `claimed`, and it alone writes the slot until it sets the bit
// of `pending`. From then on the slot belongs to the thread. The thread clears the bit of `pending`
// first, and the bit of `claimed` after it has read the slot.
class PendingSignals {
 public:
  // See sched/errands.h.
  Atomic<bool> listed{false};
  Fiber* next_listed = nullptr;

  // False: a signal of this number is already pending.
  bool add(const siginfo_t& info) {
    const SignalSet bit = bit_of_signal(info.si_signo);
    if ((claimed_.fetch_or(bit, acquire) & bit) != 0) return false;
    infos_[info.si_signo - 1] = info;
    pending_.fetch_or(bit, release);
    return true;
  }

  bool any_of(SignalSet wanted) const { return (pending_.load(relaxed) & wanted) != 0; }

  // Takes the signal of the lowest number among `wanted`. Called by the thread itself. False: there
  // is none.
  bool take(SignalSet wanted, siginfo_t& info) {
    const SignalSet there = pending_.load(acquire) & wanted;
    if (there == 0) return false;
    const int signal = __builtin_ctzll(there) + 1;
    const SignalSet bit = bit_of_signal(signal);
    // A handler may have interrupted the thread here and have taken the signal.
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
