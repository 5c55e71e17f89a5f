// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fiber/signal_store.h"
#include "platform/atomic.h"
#include "platform/signals/signal_set.h"

namespace bobbin {

struct Fiber;

// Signals that were sent to a thread and that it has not handled yet, as the kernel keeps them: one
// of each number below the real-time ones, and of these all, in their order. The senders and the
// thread take no lock, and each of them may be in a signal handler.
//
// Invariant for numbers below the real-time ones: one sender sets a bit of `claimed`, and it alone
// writes the slot until it sets the bit of `pending`. From then on the slot belongs to the thread.
// The thread clears the bit of `pending` first, and the bit of `claimed` after it has read the
// slot.
//
// Invariant for real-time ones: what a sender has pushed to `newest` before it sets the bit of
// `pending` is found by the thread that sees the bit. The thread clears the bit first, then takes
// the whole list, and sets the bit again if more of that number are left. So the bit is set
// whenever such a signal lies here, or its sender is about to set it. It may be set although there
// is none.
class PendingSignals {
 public:
  // See sched/monitor/unhandled_signals.h.
  Atomic<bool> listed{false};
  Fiber* next_listed = nullptr;

  // False: a signal of this number is already pending; or there is no room for a real-time one.
  bool add(const siginfo_t& info, SignalStore& store) {
    const SignalSet bit = bit_of_signal(info.si_signo);
    if (is_real_time(info.si_signo)) {
      if (!queue(info, store)) return false;
    } else {
      if ((claimed_.fetch_or(bit, acquire) & bit) != 0) return false;
      infos_[info.si_signo - 1] = info;
    }
    pending_.fetch_or(bit, release);
    return true;
  }

  bool any_of(SignalSet wanted) const { return (pending_.load(relaxed) & wanted) != 0; }

  // Takes the signal of the lowest number among `wanted`. Called by the thread itself. False: there
  // is none.
  bool take(SignalSet wanted, siginfo_t& info, SignalStore& store) {
    while (const SignalSet there = pending_.load(acquire) & wanted) {
      const int signal = __builtin_ctzll(there) + 1;
      const SignalSet bit = bit_of_signal(signal);
      if (is_real_time(signal) ? take_queued(signal, info, store) : take_slot(signal, info)) {
        return true;
      }
      wanted &= ~bit;
    }
    return false;
  }

  static bool is_real_time(int signal) { return signal >= kFirstRealTime; }

 private:
  static constexpr int kFirstRealTime = 32;

  // False: a handler has interrupted the thread and has taken the signal.
  bool take_slot(int signal, siginfo_t& info) {
    const SignalSet bit = bit_of_signal(signal);
    if ((pending_.fetch_and(~bit, acquire) & bit) == 0) return false;
    info = infos_[signal - 1];
    claimed_.fetch_and(~bit, release);
    return true;
  }

  bool queue(const siginfo_t& info, SignalStore& store) {
    QueuedSignal* entry = store.take();
    if (entry == nullptr) return false;
    entry->info = info;
    entry->next = newest_.load(relaxed);
    while (!newest_.compare_exchange_weak(entry->next, entry, release, relaxed)) {
    }
    return true;
  }

  // The thread's own list, oldest first. A handler that interrupts its use leaves it alone; the
  // thread looks for further signals afterwards.
  bool take_queued(int signal, siginfo_t& info, SignalStore& store) {
    if (sorting_) return false;
    sorting_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    pending_.fetch_and(~bit_of_signal(signal), acquire);
    append_new();
    QueuedSignal* taken = unlink(signal);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    sorting_ = false;
    if (taken == nullptr) return false;
    info = taken->info;
    store.give(*taken);
    return true;
  }

  void append_new() {
    QueuedSignal* oldest = nullptr;
    for (QueuedSignal* entry = newest_.exchange(nullptr, acquire); entry != nullptr;) {
      QueuedSignal* older = entry->next;
      entry->next = oldest;
      oldest = entry;
      entry = older;
    }
    QueuedSignal** end = &oldest_;
    while (*end != nullptr) end = &(*end)->next;
    *end = oldest;
  }

  QueuedSignal* unlink(int signal) {
    QueuedSignal** link = find(&oldest_, signal);
    QueuedSignal* taken = *link;
    if (taken == nullptr) return nullptr;
    *link = taken->next;
    if (*find(link, signal) != nullptr) pending_.fetch_or(bit_of_signal(signal), relaxed);
    return taken;
  }

  static QueuedSignal** find(QueuedSignal** link, int signal) {
    while (*link != nullptr && (*link)->info.si_signo != signal) link = &(*link)->next;
    return link;
  }

  Atomic<SignalSet> pending_{0};
  Atomic<SignalSet> claimed_{0};
  siginfo_t infos_[kFirstRealTime - 1] = {};
  Atomic<QueuedSignal*> newest_{nullptr};
  QueuedSignal* oldest_ = nullptr;
  bool sorting_ = false;
};

}  // namespace bobbin
