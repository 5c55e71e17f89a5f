// SPDX-License-Identifier: Apache-2.0
// A lock of one word for slow paths, such as growing a table or filling a pool. It is not for
// anything that a program's regions or tasks do often, and it must not be held across a switch of
// fibers.
//
// States (Drepper, "Futexes are tricky", the third mutex): Free; Held; Contended, which is held,
// and threads may sleep for it. lock() takes Free -> Held. If that fails it spins briefly, then
// sets Contended, and sleeps if the old state was not Free. unlock() sets Free and wakes one
// sleeper if the state was Contended. A woken sleeper takes the lock as Contended, because it
// cannot know whether more threads sleep. No sleeper is lost: the one exchange of unlock() that
// ends a Contended period always wakes, and the kernel does not put to sleep a thread that has
// missed it. The lock is acquired with acquire and released with release.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/locks/futex.h"
#include "platform/locks/handlers_wait.h"

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

  // In the child of a fork, for a lock that is not held across it. True: a thread that does not
  // exist in the child held it, and the guarded data may be half changed.
  bool free_in_child() { return state_.exchange(kFree, relaxed) != kFree; }

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kHeld = 1;
  static constexpr std::uint32_t kContended = 2;
  static constexpr int kSpins = 100;  // some microseconds: longer than the lock is held

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
