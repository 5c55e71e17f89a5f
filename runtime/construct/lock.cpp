// SPDX-License-Identifier: Apache-2.0
#include "construct/lock.h"

#include "construct/wait_address.h"
#include "platform/shared_memory.h"
#include "task/promote.h"

namespace bobbin {

// Who spins looks seldom, the longer the less: each look takes the line away from the owner, who
// most likely sets the lock again at once.
bool Lock::spin(uint32_t as) {
  constexpr int kRounds = 6;
  int pauses = 4;
  for (int rounds = brief_spin(kRounds); rounds > 0; rounds--, pauses *= 2) {
    for (int i = spin_limit(pauses); i > 0; i--) cpu_pause();
    uint32_t expected = kFree;
    if (state_.load(relaxed) == kFree &&
        state_.compare_exchange_strong(expected, as, acquire, relaxed)) {
      return true;
    }
  }
  return false;
}

namespace {

// Leaves the processor to others while the word holds `value`, or for a while.
void wait_at(Thread& thread, Atomic<uint32_t>& word, uint32_t value) {
  if (!in_shared_memory(&word)) {
    wait_on(thread, {&word}, [&] { return word.load(relaxed) == value; });
  } else if (!yield(thread)) {
    wait_across_processes(word, value);
  }
}

void wake_at(Atomic<uint32_t>& word) {
  wake_one({&word});
  if (in_shared_memory(&word)) wake_across_processes(word);
}

}  // namespace

void Lock::lock_slowly() {
  Thread& thread = self();
  for (uint32_t as = looks_for_races() ? kContended : kHeld;; as = kContended) {
    if (spin(as) || state_.exchange(kContended, acquire) == kFree) break;
    wait_at(thread, state_, kContended);
  }
  happens_after(&state_);
}

void Lock::unlock_slowly() {
  happens_before(&state_);
  if (state_.exchange(kFree, release) == kContended) wake_at(state_);
}

bool Lock::try_lock_seen() {
  uint32_t expected = kFree;
  if (!state_.compare_exchange_strong(expected, kContended, acquire, relaxed)) return false;
  happens_after(&state_);
  return true;
}

namespace {

const void* current_owner() { return task_identity(*self().task); }

}  // namespace

int set_nest_lock(NestLock& lock) {
  const void* me = current_owner();
  if (lock.owner.load(relaxed) != me) {
    lock.lock.lock();
    lock.owner.store(me, relaxed);
    lock.count = 0;
  }
  return ++lock.count;
}

int test_nest_lock(NestLock& lock) {
  const void* me = current_owner();
  if (lock.owner.load(relaxed) != me) {
    if (!lock.lock.try_lock()) return 0;
    lock.owner.store(me, relaxed);
    lock.count = 0;
  }
  return ++lock.count;
}

int unset_nest_lock(NestLock& lock) {
  int count = --lock.count;
  if (count == 0) {
    lock.owner.store(nullptr, relaxed);
    lock.lock.unlock();
  }
  return count;
}

namespace {

bool try_own(ThreadNestLock& lock, uint32_t me) {
  uint32_t owner = lock.owner.load(relaxed);
  if (owner == me) return true;
  if (owner != 0 || !lock.owner.compare_exchange_strong(owner, me, acquire, relaxed)) return false;
  happens_after(&lock);
  lock.count = 0;
  return true;
}

}  // namespace

int set_nest_lock(ThreadNestLock& lock) {
  uint32_t me = thread_number(self());
  while (!try_own(lock, me)) {
    const uint32_t owner = lock.owner.load(relaxed);
    if (owner != 0) wait_at(self(), lock.owner, owner);
  }
  return ++lock.count;
}

int test_nest_lock(ThreadNestLock& lock) {
  return try_own(lock, thread_number(self())) ? ++lock.count : 0;
}

int unset_nest_lock(ThreadNestLock& lock) {
  int count = --lock.count;
  if (count == 0) {
    happens_before(&lock);
    lock.owner.store(0, release);
    wake_at(lock.owner);
  }
  return count;
}

}  // namespace bobbin
