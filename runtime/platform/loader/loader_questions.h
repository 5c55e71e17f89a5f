// SPDX-License-Identifier: Apache-2.0
// Questions to the loader under its lock (dl_iterate_phdr's), and fork(). glibc (2.36) does not
// release that lock in the child. So no question of the runtime may be in progress when the process
// forks.
//
// A thread that asks may already hold the lock, because a program's own callback of dl_iterate_phdr
// may open a region. So an asker must not wait for a thread that waits for the lock, and in
// particular not for other askers. The askers are counted, and all are let in. A fork waits until
// there are none, and keeps out askers that come during the fork. The fork is short and asks
// nothing itself. While the fork still waits, new askers are let in, because it may be waiting for
// a thread that waits for them. But they pause first, so that the count can reach zero.
//
// A thread that forks may also hold the lock, and then it waits for askers that wait for the lock.
// So its wait has a timeout, longer than any question takes. After the timeout it forks while they
// are active. If it did hold the lock, the child would find the lock held anyway.
//
// The word is the number of askers, combined with kForkWaits, or it is kForking.
//   n -> n+1, n+1 -> n        begin(), end(); with or without kForkWaits. Acquire, release.
//   n -> n + kForkWaits       close()
//   kForkWaits -> kForking    close(): no askers (acquire: their work is complete)
//   kForking -> 0             open() (release)
//   n + kForkWaits -> n       open(), after the timeout
//   any -> kForking           forget_others(), in the child: the askers do not exist there
// Sleepers: one fork while kForkWaits is set, woken by the end() of the last asker; and askers
// while the word is kForking, woken by open(). Never both at a time.
#pragma once

#include <climits>
#include <cstdint>

#include "platform/atomic.h"
#include "platform/locks/futex.h"
#include "platform/locks/spinlock.h"

namespace bobbin {

class LoaderQuestions {
 public:
  constexpr LoaderQuestions() = default;
  LoaderQuestions(const LoaderQuestions&) = delete;
  LoaderQuestions& operator=(const LoaderQuestions&) = delete;

  void begin() {
    uint32_t seen = word_.load(relaxed);
    if (seen >= kForkWaits) [[unlikely]]
      seen = hesitate();
    while (!word_.compare_exchange_weak(seen, seen + 1, acquire, relaxed)) {
      if (seen == kForking) seen = wait_for_fork();
    }
  }

  void end() {
    if (word_.fetch_sub(1, release) == kForkWaits + 1) [[unlikely]]
      futex_wake(word_, 1);
  }

  // Called before a fork, and (open) after it.
  void close() {
    forks_.lock();
    uint32_t seen = word_.fetch_or(kForkWaits, relaxed) | kForkWaits;
    for (unsigned waits = 0; waits < kWaits;) {
      if (seen != kForkWaits) {
        const FutexResult result = futex_wait(word_, seen, kWaitNs);
        if (result == FutexResult::TimedOut || result == FutexResult::Interrupted) waits++;
        seen = word_.load(relaxed);
      } else if (word_.compare_exchange_weak(seen, kForking, acquire, relaxed)) {
        return;
      }
    }
  }
  void forget_others() { word_.store(kForking, relaxed); }
  void open() {
    word_.fetch_and(~(kForkWaits | kForking), release);
    futex_wake(word_, INT_MAX);
    forks_.unlock();
  }

 private:
  static constexpr uint32_t kForkWaits = 1u << 30;
  static constexpr uint32_t kForking = 1u << 31;

  // The timeout of a fork: a second, or this many signals. In the model this many waits end without
  // a wake-up only where the fork would wait for ever.
  static constexpr unsigned kWaits = 10;
  static constexpr uint64_t kWaitNs = 100'000'000;

  // Spins longer than the present questions take to end.
  [[gnu::noinline]] uint32_t hesitate() {
    constexpr int kRounds = 1000;
    uint32_t seen = word_.load(relaxed);
    for (int i = spin_limit(kRounds); i > 0 && (seen & kForkWaits) != 0; i--) {
      cpu_pause();
      seen = word_.load(relaxed);
    }
    return seen == kForking ? wait_for_fork() : seen;
  }

  [[gnu::noinline]] uint32_t wait_for_fork() {
    uint32_t seen;
    while ((seen = word_.load(relaxed)) == kForking) futex_wait(word_, kForking);
    return seen;
  }

  // Written by all askers and by forks.
  alignas(kCacheLine) Atomic<uint32_t> word_{0};
  SpinLock forks_;  // lets in one fork at a time
};

}  // namespace bobbin
