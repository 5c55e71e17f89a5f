// SPDX-License-Identifier: Apache-2.0
// A lock of one word for slow paths: growing a table, filling a pool. Not for anything a program's
// regions or tasks meet in number, and not to be held across a switch of fibers.
//
// States (Drepper, "Futexes are tricky", the third mutex): Free; Held; Contended, held and perhaps
// slept for. lock() takes Free -> Held, or after a short spin anything -> Contended, and sleeps if
// that was not Free. unlock() puts Free and wakes one if it was Contended. A sleeper that is woken
// takes the lock as Contended, for it cannot know whether more sleep. Nobody is lost: the one
// exchange of unlock() that ends a Contended period always wakes, and the kernel refuses to put
// to sleep who has missed it. The lock is acquired with acquire and left with release.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/futex.h"
#include "platform/handlers_wait.h"

namespace bobbin {

class SpinLock {
 public:
  constexpr SpinLock() = default;
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  bool try_lock() {
    std::uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kHeld, acquire, relaxed);
  }

  void lock() {
    if (!try_lock()) [[unlikely]]
      lock_slowly();
  }

  void unlock() {
    if (state_.exchange(kFree, release) == kContended) [[unlikely]]
      futex_wake(state_, 1);
  }

  // In the child of a fork, of a lock that is not held across it. True: a thread had it that is not
  // there, and what it guards may be half changed.
  bool free_in_child() { return state_.exchange(kFree, relaxed) != kFree; }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kHeld = 1;
  static constexpr std::uint32_t kContended = 2;
  static constexpr int kSpins = 100;  // some microseconds: longer than what is done under it

  [[gnu::noinline]] void lock_slowly() {
    for (int i = spin_limit(kSpins); i > 0; --i) {
      cpu_pause();
      if (state_.load(relaxed) == kFree && try_lock()) return;
    }
    while (state_.exchange(kContended, acquire) != kFree) futex_wait(state_, kContended);
  }

  Atomic<std::uint32_t> state_{kFree};
};

class SpinGuard {
 public:
  explicit SpinGuard(SpinLock& lock) : lock_(lock) { lock_.lock(); }
  ~SpinGuard() { lock_.unlock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  HandlersWait wait_;
  SpinLock& lock_;
};

}  // namespace bobbin
