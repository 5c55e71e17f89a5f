// SPDX-License-Identifier: Apache-2.0
#include "construct/wait_address.h"

#include "platform/hash.h"
#include "platform/locks/fork_lock.h"

namespace bobbin {

constinit WaitBucket wait_buckets[kWaitBuckets];

WaitBucket& wait_bucket(const WaitKey& key) {
  uint64_t mixed = reinterpret_cast<uintptr_t>(key.address) / 4 + key.part * 0x9e3779b1u;
  return wait_buckets[fibonacci_hash(mixed, kWaitBucketBits)];
}

void WaitBucket::append(WaitNode& node) {
  (last != nullptr ? last->next : first) = &node;
  last = &node;
  count.store(count.load(relaxed) + 1, relaxed);
}

void WaitBucket::prepend(WaitNode& node) {
  node.next = first;
  first = &node;
  if (last == nullptr) last = &node;
  count.store(count.load(relaxed) + 1, relaxed);
}

void WaitBucket::remove(WaitNode& node) {
  WaitNode* before = nullptr;
  for (WaitNode* at = first; at != &node; at = at->next) before = at;
  (before != nullptr ? before->next : first) = node.next;
  if (last == &node) last = before;
  count.store(count.load(relaxed) - 1, relaxed);
}

void sleep_until_woken(WaitNode& node) {
  auto woken = [&] { return node.woken.load(acquire); };
  WaitBegin begin;
  while (!woken()) await(*node.thread, begin, woken, [] {});
}

namespace {

// Removes up to `limit` nodes with `matches(key)` from the bucket and wakes their threads. They are
// resumed in portions, outside of the lock. A node may be gone as soon as its `woken` is set.
template <class Matches>
void take_and_wake(WaitBucket& bucket, unsigned limit, Matches&& matches) {
  constexpr unsigned kPortion = 32;
  while (limit != 0) {
    Thread* threads[kPortion];
    unsigned found = 0;
    {
      SpinGuard guard(bucket.lock);
      WaitNode* before = nullptr;
      for (WaitNode* at = bucket.first; at != nullptr && found < kPortion && found < limit;) {
        WaitNode* next = at->next;
        if (matches(at->key)) {
          (before != nullptr ? before->next : bucket.first) = next;
          if (bucket.last == at) bucket.last = before;
          threads[found++] = at->thread;
          at->woken.store(true, release);
        } else {
          before = at;
        }
        at = next;
      }
      bucket.count.store(bucket.count.load(relaxed) - found, relaxed);
    }
    for (unsigned i = 0; i < found; i++) resume(*threads[i]);
    if (found < kPortion) return;
    limit -= found;
  }
}

}  // namespace

void wake_waiters(WaitBucket& bucket, const WaitKey& key, Match match, unsigned limit) {
  take_and_wake(bucket, limit, [&](const WaitKey& waiting) {
    return waiting.address == key.address && waiting.part == key.part &&
           (match == Match::Exactly ? waiting.value == key.value : waiting.value <= key.value);
  });
}

bool hand_over(const WaitKey& key) {
  WaitBucket& bucket = wait_bucket(key);
  fence(seq_cst);
  if (bucket.count.load(relaxed) == 0) return false;
  Thread* thread = nullptr;
  {
    SpinGuard guard(bucket.lock);
    WaitNode* node = bucket.first;
    while (node != nullptr && (node->key.address != key.address || node->key.part != key.part)) {
      node = node->next;
    }
    if (node == nullptr) return false;
    bucket.remove(*node);
    thread = node->thread;
    node->handed_over = true;
    node->woken.store(true, release);  // it may be gone now
  }
  resume(*thread);
  return true;
}

void wake_range(const void* begin, const void* end) {
  fence(seq_cst);
  for (WaitBucket& bucket : wait_buckets) {
    if (bucket.count.load(relaxed) == 0) continue;
    take_and_wake(bucket, ~0u, [&](const WaitKey& waiting) {
      return waiting.address >= begin && waiting.address < end;
    });
  }
}

namespace {

void lock_all() {
  for (WaitBucket& bucket : wait_buckets) bucket.lock.lock();
}

void unlock_all() {
  for (WaitBucket& bucket : wait_buckets) bucket.lock.unlock();
}

// Only the calling thread exists, and it waits for nothing.
void forget_waiters() {
  for (WaitBucket& bucket : wait_buckets) {
    bucket.first = bucket.last = nullptr;
    bucket.count.store(0, relaxed);
  }
}

constinit ForkLock fork_lock{lock_all, unlock_all, forget_waiters, nullptr};

}  // namespace

void init_wait_table() { add_fork_lock(fork_lock); }

}  // namespace bobbin
