// SPDX-License-Identifier: Apache-2.0
// Mutual exclusion for programs: critical, simple and nestable locks, the fallback of atomic.
//
// A lock is 32 bits, as in GCC's ABI. Its states, in the lowest three bits: Free; Held; Contended
// (held, and there may be sleepers); Claimed (Contended, and one sleeper has waited long enough).
//
// The other bits tell a debugger which thread holds the lock: they are those of the address of its
// Thread, which is aligned to a cache line, shifted so that 2^35 bytes are told apart. They are 0
// if the lock is free, and if the holder is not known: code that is inlined into programs
// (bobbin/inline/critical.h) does not write them, and a thread that has got the lock after a wait
// writes them a moment later. The runtime itself does not look at them.
//
//   lock      Free -> Held; or, after a spin, anything -> Contended (Claimed stays Claimed), and
//             the thread sleeps unless the lock was Free
//   unlock    anything -> Free; wakes the first sleeper if the lock was Contended
//
// A thread that has slept once takes the lock as Contended, because it cannot know whether others
// still sleep. So the unlock that ends a Contended period wakes a sleeper, and that sleeper begins
// the next Contended period. No sleeper is forgotten, although the state may be Held while a woken
// sleeper has not come back yet. The unlock does not hand the lock over: a running thread may take
// it first, so many successive critical sections on one processor cost no switch. (Drepper,
// "Futexes are tricky", the third mutex, on fibers.)
//
// A sleeper must not be overtaken forever: the running thread may only poll for something that the
// sleeper has to do. A sleeper that has been woken in vain kPatience times claims the lock and goes
// back to the head of the line. The unlock that finds the lock Claimed takes it back, Free ->
// Contended, for the first in line, and hands it over. If another thread has taken the lock in
// between, the unlock passes the claim to that holder, Held -> Claimed. So each period ends with
// the claim met or passed on, or with no thread in line. A sleeper is overtaken kPatience + 1 times
// at most, except by the few threads that come between an unlock and its second step, and by other
// claimants.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/watchers/happens_before.h"
#include "team/model/thread.h"

namespace bobbin {

class Lock {
 public:
  constexpr Lock() = default;

  bool try_lock() {
    uint32_t expected = kFree;
    const bool locked =
        state_.compare_exchange_strong(expected, kHeld | mark_of(tls_thread), acquire, relaxed);
    if (locked) happens_after(&state_);
    return locked;
  }

  void lock() {
    uint32_t expected = kFree;
    if (!state_.compare_exchange_strong(expected, kHeld | mark_of(tls_thread), acquire, relaxed))
        [[unlikely]]
      lock_slowly();
    happens_after(&state_);
  }

  void unlock() {
    happens_before(&state_);
    const uint32_t was = state_.exchange(kFree, release) & kStateBits;
    if (was > kHeld) [[unlikely]]
      unlock_slowly(was);
  }

 private:
  friend struct DebuggerView;

  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kHeld = 1;
  // Each state has the bits of the states before it, so that a new sleeper does not erase a claim.
  static constexpr uint32_t kContended = 3;
  static constexpr uint32_t kClaimed = 7;
  static constexpr uint32_t kStateBits = 7;

  // The bits that name the holder. nullptr: the caller has never been an OpenMP thread.
  static uint32_t mark_of(const Thread* thread) {
    constexpr unsigned kShift = 3;
    static_assert((kCacheLine >> kShift & kStateBits) == 0);
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(thread) >> kShift);
  }

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
  Atomic<const void*> owner;  // written by the lock's holder, read by all that set it
};

// Returns the nesting count after the call; 0 for a test that did not get the lock.
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

// The sizes that programs allocate.
static_assert(sizeof(Lock) == 4 && sizeof(NestLock) == 16 && sizeof(ThreadNestLock) == 8);

}  // namespace bobbin
