// SPDX-License-Identifier: Apache-2.0
// Questions to the loader under its lock (dl_iterate_phdr's), and fork(): glibc does not make that
// lock free again in the child (2.36), so none of the runtime's may be on its way when a process
// forks.
//
// Who asks may have the lock already: a program's own callback of dl_iterate_phdr may open a
// region. So who asks must not wait for anybody who waits for the lock, in particular not for
// others who ask: they are counted, and all are let in. A fork waits until there are none, and
// keeps out who comes then; it is short and asks nothing itself. While it waits those who come go
// on, for it may be waiting for somebody who waits for them; but they hesitate before, lest there
// be always some.
//
// And who forks may have the lock, too, and then waits for those who wait for it. So its patience
// has an end, longer than any question takes: then it forks beside them. Where it did have the
// lock, the child would find that held anyway.
//
// The word is a count of those who ask, with kForkWaits beside it, or kForking.
//   n -> n+1, n+1 -> n        begin(), end(); with or without kForkWaits. Acquire, release.
//   n -> n + kForkWaits       close()
//   kForkWaits -> kForking    close(): nobody asks (acquire: what they did is whole)
//   kForking -> 0             open() (release)
//   n + kForkWaits -> n       open(), where its patience was at an end
//   any -> kForking           forget_others(), in the child: those who asked are not there
// Sleepers: one fork while kForkWaits is set, woken by the end() that leaves nobody; those who ask
// while it is kForking, woken by open(). Never both at a time.
#pragma once

#include <climits>
#include <cstdint>

#include "platform/atomic.h"
#include "platform/futex.h"
#include "platform/spinlock.h"

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

  // Before a fork, and after it.
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

  // The patience of a fork: a second, or so many signals. In the model they end in vain as often
  // only where it would wait for ever.
  static constexpr unsigned kWaits = 10;
  static constexpr uint64_t kWaitNs = 100'000'000;

  // Longer than it takes those to end who ask now.
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

  // Written by all who ask and by forks.
  alignas(kCacheLine) Atomic<uint32_t> word_{0};
  SpinLock forks_;  // one at a time
};

}  // namespace bobbin
