// SPDX-License-Identifier: Apache-2.0
// Where threads wait for the change of a word in memory that has no room for a list of waiters.
// This is a parking lot (WebKit's name; the kernel's futex is the same idea for kernel threads).
//
// Threads wait under a key with three parts: the address of a word, or of an object that has
// several words; the number of the word in it; and the value that the thread waits for. A hash
// table of buckets holds the waiters in the order in which they came. Their nodes lie on their
// stacks.
//
// No waiter is missed (Dekker, a fence on either side): the waiter enters the bucket, then checks
// once more whether it still must wait; the waker changes the word, then checks whether the bucket
// has a waiter. Both use the bucket's count, so the waker takes the bucket's lock only when a
// thread waits there. A node is removed under the lock, by its waker or by a waiter that need not
// wait after all. Setting `woken` is the waker's last access to the node.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/locks/spinlock.h"
#include "sched/workers/pool.h"
#include "team/members/fork_child.h"

namespace bobbin {

struct WaitKey {
  const void* address = nullptr;
  uint64_t part = 0;
  uint64_t value = 0;
};

enum class Match {
  Exactly,  // threads that wait for this value
  UpTo,     // threads that wait for this value or a smaller one
};

enum class WaitPlace : uint8_t { Last, First };

struct WaitNode {
  WaitKey key;
  Thread* thread = nullptr;
  WaitNode* next = nullptr;
  bool handed_over = false;  // the waiter now owns what it waited for; written before `woken`
  Atomic<bool> woken{false};
};

// FIFO. As a rule a bucket has only a few waiters.
struct alignas(kCacheLine) WaitBucket {
  Atomic<uint32_t> count{0};  // written under the lock, read by wakers without
  SpinLock lock;
  WaitNode* first = nullptr;
  WaitNode* last = nullptr;

  void append(WaitNode& node);
  void prepend(WaitNode& node);
  void remove(WaitNode& node);
};

inline constexpr unsigned kWaitBucketBits = 8;
inline constexpr unsigned kWaitBuckets = 1u << kWaitBucketBits;
extern WaitBucket wait_buckets[kWaitBuckets];

WaitBucket& wait_bucket(const WaitKey& key);
void sleep_until_woken(WaitNode& node);
// Removes and wakes up to `limit` of the threads that wait under the key.
void wake_waiters(WaitBucket& bucket, const WaitKey& key, Match match, unsigned limit);

// Leaves the processor to others until another thread wakes the key. Returns at once if
// `still_waiting` no longer holds. False: the caller must check its condition again, because the
// call may return without a reason. True: what the caller waits for has been handed over to it.
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

// Wakes the first waiter in line under the key and hands over to it what it waits for. The caller
// must have taken that before. False: no thread waits.
bool hand_over(const WaitKey& key);

// The caller must have changed the word before.
inline void wake(const WaitKey& key, Match match, unsigned limit) {
  WaitBucket& bucket = wait_bucket(key);
  fence(seq_cst);
  if (bucket.count.load(relaxed) != 0) wake_waiters(bucket, key, match, limit);
}

// Wakes every thread that waits at an address in [begin, end), whatever it waits for.
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

// Waits as long as `not_yet` holds, for something that another thread of the team does. Each waiter
// waits for its own event, independently of other waiters. So the thread spins on the word itself
// and enters the table only to suspend: the word shows the change one cache line transfer after it
// was made, the table four or five.
template <class NotYet>
void wait_while(Thread& thread, const WaitKey& key, NotYet&& not_yet) {
  WaitBucket& bucket = wait_bucket(key);
  WaitBegin begin;
  while (not_yet()) {
    expect_others(*thread.member->team);
    WaitNode node{.key = key, .thread = &thread};
    bool entered = false;
    await(
        thread, begin, [&] { return !not_yet(); },
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
