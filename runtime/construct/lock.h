// SPDX-License-Identifier: Apache-2.0
// Mutual exclusion for programs: critical, simple and nestable locks, the fallback of atomic.
//
// A lock is 32 bits, as GCC's ABI has it: Free, Held, Contended: held, and there may be sleepers,
// or Claimed: and one of them has waited long enough.
//
//   lock      Free -> Held; or, after a spin, anything -> Contended, or still Claimed if it was,
//   and
//             sleeps unless it was Free.
//   unlock    anything -> Free; wakes the first sleeper if it was Contended.
//
// Who has slept once takes the lock as Contended, for it cannot know whether others still sleep. So
// whoever ends a Contended period wakes one who will bring about the next: no sleeper is forgotten,
// though the state says Held while a woken one has not come back yet. It does not hand the lock
// over: who comes by takes it first, and the many critical sections that follow one another on a
// processor cost no switch. (Drepper, "Futexes are tricky", the third mutex, on fibers.)
//
// But not for ever, for who comes by may be a thread that only looks, again and again, whether the
// sleeper has done something. One that has been woken in vain kPatience times claims the lock and
// goes back to the head of the line. The unlock that finds it Claimed takes it back, Free ->
// Contended, in the name of the first in line, and hands it over. Has somebody come by in between,
// the claim becomes theirs to meet, Held -> Claimed. So each period ends with the claim met or
// passed on, or with nobody in line: a sleeper is overtaken kPatience + 1 times at most, but for
// the few who come by between an unlock and its second step, and by other claimants.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/happens_before.h"

namespace bobbin {

class Lock {
 public:
  constexpr Lock() = default;

  bool try_lock() {
    uint32_t expected = kFree;
    const bool locked = state_.compare_exchange_strong(expected, kHeld, acquire, relaxed);
    if (locked) happens_after(&state_);
    return locked;
  }

  void lock() {
    uint32_t expected = kFree;
    if (!state_.compare_exchange_strong(expected, kHeld, acquire, relaxed)) [[unlikely]]
      lock_slowly();
    happens_after(&state_);
  }

  void unlock() {
    happens_before(&state_);
    const uint32_t was = state_.exchange(kFree, release);
    if (was > kHeld) [[unlikely]]
      unlock_slowly(was);
  }

 private:
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kHeld = 1;
  // Each has the bits of those before, so that a sleeper that comes takes no claim away.
  static constexpr uint32_t kContended = 3;
  static constexpr uint32_t kClaimed = 7;

  void lock_slowly();
  void unlock_slowly(uint32_t was);
  bool spin(uint32_t as);
  bool take_back();

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
