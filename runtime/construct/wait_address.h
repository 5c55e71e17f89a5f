// SPDX-License-Identifier: Apache-2.0
// Where threads wait for a change of a word in memory that has no room for a list of waiters: a
// parking lot (WebKit's name; the kernel's futex is the same idea for kernel threads).
//
// Threads wait under a key: the address of the word, or of something that has several, and which of
// them; and the value that they wait for. A table of buckets, found by hashing, holds the waiters
// in the order in which they came; their nodes lie on their stacks.
//
// Nobody is missed (Dekker, a fence on either side): the waiter enters the bucket, then looks once
// more whether it still must wait; the waker changes the word, then looks whether the bucket has
// anybody. Both go by the bucket's count, so that the waker takes the bucket's lock only when
// somebody waits there. A node is taken out under the lock, by the one who wakes it or by the
// waiter that need not wait after all; `woken` is the last that a waker does to it.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/spinlock.h"
#include "sched/pool.h"
#include "team/fork_child.h"

namespace bobbin {

struct WaitKey {
  const void* address = nullptr;
  uint64_t part = 0;
  uint64_t value = 0;
};

enum class Match {
  Exactly,  // who waits for this value
  UpTo,     // or for a smaller one
};

enum class WaitPlace : uint8_t { Last, First };

struct WaitNode {
  WaitKey key;
  Thread* thread = nullptr;
  WaitNode* next = nullptr;
  bool handed_over = false;  // what is waited for is the waiter's; written before `woken`
  Atomic<bool> woken{false};
};

// FIFO; not more than a few waiters stand in one, as a rule.
struct alignas(kCacheLine) WaitBucket {
  Atomic<uint32_t> count{0};  // written under the lock, read by wakers without
  SpinLock lock;
  WaitNode* first = nullptr;
  WaitNode* last = nullptr;

  void append(WaitNode& node);
  void prepend(WaitNode& node);
  void remove(WaitNode& node);
};

WaitBucket& wait_bucket(const WaitKey& key);
void sleep_until_woken(WaitNode& node);
// Takes out and wakes up to `limit` of those who wait under the key.
void wake_waiters(WaitBucket& bucket, const WaitKey& key, Match match, unsigned limit);

// Leaves the processor to others until somebody wakes the key; returns at once if `still_waiting`
// no longer holds. It may also return for no good reason: the caller looks at its condition again,
// unless it returns true: then what the caller waits for has been handed over to it.
template <class StillWaiting>
bool wait_in_line(Thread& thread, const WaitKey& key, WaitPlace place,
                  StillWaiting&& still_waiting) {
  WaitBucket& bucket = wait_bucket(key);
  WaitNode node{.key = key, .thread = &thread};
  {
    SpinGuard guard(bucket.lock);
    place == WaitPlace::First ? bucket.prepend(node) : bucket.append(node);
    fence(seq_cst);
    if (!still_waiting()) {
      bucket.remove(node);
      return false;
    }
  }
  sleep_until_woken(node);
  return node.handed_over;
}

template <class StillWaiting>
void wait_on(Thread& thread, const WaitKey& key, StillWaiting&& still_waiting) {
  wait_in_line(thread, key, WaitPlace::Last, still_waiting);
}

// Wakes the first who waits in line under the key, and tells it that what it waits for is its own.
// False: nobody waits. What is handed over must have been taken before.
bool hand_over(const WaitKey& key);

// The word must have been changed before.
inline void wake(const WaitKey& key, Match match, unsigned limit) {
  WaitBucket& bucket = wait_bucket(key);
  fence(seq_cst);
  if (bucket.count.load(relaxed) != 0) wake_waiters(bucket, key, match, limit);
}

// Everybody who waits at an address in [begin, end), whatever for.
void wake_range(const void* begin, const void* end);

inline void wake_one(const WaitKey& key) { wake(key, Match::Exactly, 1); }
inline void wake_all(const WaitKey& key) { wake(key, Match::Exactly, ~0u); }
inline void wake_up_to(const WaitKey& key) { wake(key, Match::UpTo, ~0u); }

// Spins for as long as it takes a thread that is on another processor to do something short.
template <class Done>
bool spin_briefly(Done&& done) {
  for (int rounds = brief_spin(64); rounds > 0; rounds--) {
    if (done()) return true;
    cpu_pause();
  }
  return false;
}

// Waits as long as `not_yet` holds, for something that another thread of the team brings about and
// that each waiter has at its own time whoever else waits. So it spins on the word itself and
// enters the table only to suspend: the word shows the change one transfer after it was made, the
// table four or five.
template <class NotYet>
void wait_while(Thread& thread, const WaitKey& key, NotYet&& not_yet) {
  WaitBucket& bucket = wait_bucket(key);
  while (not_yet()) {
    expect_others(*thread.member->team);
    WaitNode node{.key = key, .thread = &thread};
    bool entered = false;
    await(
        thread, [&] { return !not_yet(); },
        [&] {
          SpinGuard guard(bucket.lock);
          bucket.append(node);
          entered = true;
        });
    if (!entered || node.woken.load(acquire)) continue;
    SpinGuard guard(bucket.lock);
    if (!node.woken.load(relaxed)) bucket.remove(node);
  }
}

// Once, at start-up: the child of a fork begins with an empty table.
void init_wait_table();

}  // namespace bobbin
