// SPDX-License-Identifier: Apache-2.0
#include "construct/locks/lock.h"

#include "construct/wait_address.h"
#include "platform/memory/shared_memory.h"
#include "task/model/promotion.h"

namespace bobbin {

namespace {

// The number of wake-ups in vain before a claim.
constexpr unsigned kPatience = 1;

// Some threads poll in brief critical sections for something that another thread does. They find
// the lock held now and then, but not for long enough to sleep. The thread that they wait for may
// be a fiber that waits for their worker.
constexpr unsigned kTurn = 8;

void let_others_run(Thread& thread) {
  if (++thread.worker->locks_found_held % kTurn == 0) yield(thread);
}

}  // namespace

// A spinning thread reads the lock seldom, and ever less often: each read takes the line away from
// the owner, which most likely sets the lock again at once.
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

// Leaves the processor to others while `held()`, or for a while. True: the lock has been handed
// over.
template <class Held>
bool wait_for(Thread& thread, Atomic<uint32_t>& word, uint32_t value, WaitPlace place,
              Held&& held) {
  if (!in_shared_memory(&word)) return wait_in_line(thread, {&word}, place, held);
  if (!yield(thread)) wait_across_processes(word, value);
  return false;
}

void wake_at(Atomic<uint32_t>& word) {
  wake_one({&word});
  if (in_shared_memory(&word)) wake_across_processes(word);
}

}  // namespace

void Lock::lock_slowly() {
  Thread& thread = self();
  let_others_run(thread);
  const uint32_t mark = mark_of(&thread);
  unsigned in_vain = 0;
  for (uint32_t as = kHeld;; as = kContended) {
    if (spin(as | mark)) return;
    // No other process can hand it over.
    const bool claims = in_vain >= kPatience && !in_shared_memory(&state_);
    const uint32_t wanted = claims ? kClaimed : kContended;
    const uint32_t was = state_.fetch_or(wanted, acquire);
    if (was == kFree) break;
    const WaitPlace place = claims ? WaitPlace::First : WaitPlace::Last;
    auto held = [this] { return (state_.load(relaxed) & kStateBits) >= kContended; };
    if (wait_for(thread, state_, was | wanted, place, held)) break;
    in_vain++;
  }
  state_.fetch_or(mark, relaxed);
}

// Takes the lock for the first in line. False: another thread has the lock and will hand it over.
bool Lock::take_back() {
  uint32_t seen = kFree;
  for (;;) {
    const uint32_t next = seen == kFree ? kContended : seen | kClaimed;
    if (state_.compare_exchange_weak(seen, next, acq_rel, relaxed)) return seen == kFree;
  }
}

void Lock::unlock_slowly(uint32_t was) {
  while (was == kClaimed) {
    if (!take_back() || hand_over({&state_})) return;
    // The claimant is not in line yet, and will look again.
    was = state_.exchange(kFree, release) & kStateBits;
  }
  wake_at(state_);
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
    if (owner == 0) continue;
    wait_for(self(), lock.owner, owner, WaitPlace::Last,
             [&] { return lock.owner.load(relaxed) == owner; });
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
