// SPDX-License-Identifier: Apache-2.0
// Mutual exclusion for programs: critical, simple and nestable locks, the fallback of atomic.
//
// A lock is 32 bits, as GCC's ABI has it: Free, Held, or Contended: held, and there may be
// sleepers.
//
//   lock      Free -> Held; or, after a spin, anything -> Contended, and sleeps unless it was Free.
//   unlock    Held -> Free; or anything -> Free, and wakes one sleeper if it was Contended.
//
// Who has slept once takes the lock as Contended, for it cannot know whether others still sleep. So
// whoever ends a Contended period wakes one who will bring about the next: no sleeper is forgotten,
// though the state says Held while a woken one has not come back yet. It does not hand the lock
// over: who comes by takes it first, and the many critical sections that follow one another on a
// processor cost no switch. (Drepper, "Futexes are tricky", the third mutex, on fibers.)
//
// Before a race detector every lock is taken as Contended: so unlocking, too, takes its slow path,
// where the detector is told, and need not ask whether there is one.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/happens_before.h"

namespace bobbin {

class Lock {
 public:
  constexpr Lock() = default;

  bool try_lock() {
    if (looks_for_races()) [[unlikely]]
      return try_lock_seen();
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kHeld, acquire, relaxed);
  }

  void lock() {
    uint32_t expected = kFree;
    if (looks_for_races() || !state_.compare_exchange_strong(expected, kHeld, acquire, relaxed))
        [[unlikely]] {
      lock_slowly();
    }
  }

  void unlock() {
    uint32_t expected = kHeld;
    if (!state_.compare_exchange_strong(expected, kFree, release, relaxed)) [[unlikely]]
      unlock_slowly();
  }

 private:
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kHeld = 1;
  static constexpr uint32_t kContended = 2;

  void lock_slowly();
  void unlock_slowly();
  bool try_lock_seen();
  bool spin(uint32_t as);

  Atomic<uint32_t> state_{kFree};
};

// A lock that its owner may set again: omp_nest_lock_t of GCC. The owner is a task (section 18.9).
struct NestLock {
  Lock lock;
  int32_t count;
  Atomic<const void*> owner;  // written by who holds the lock, read by all who set it
};

// The nesting count after it; for a test that did not get the lock, 0.
int set_nest_lock(NestLock& lock);
int test_nest_lock(NestLock& lock);
int unset_nest_lock(NestLock& lock);

// The nestable lock of OpenMP 2.5, which a thread owns.
struct ThreadNestLock {
  Atomic<uint32_t> owner;  // its number, 0: free
  int32_t count;
};

int set_nest_lock(ThreadNestLock& lock);
int test_nest_lock(ThreadNestLock& lock);
int unset_nest_lock(ThreadNestLock& lock);

// What programs allocate.
static_assert(sizeof(Lock) == 4 && sizeof(NestLock) == 16 && sizeof(ThreadNestLock) == 8);

}  // namespace bobbin
