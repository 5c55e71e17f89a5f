// SPDX-License-Identifier: Apache-2.0
#include "construct/locks/critical.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <new>

#include "platform/locks/fork_lock.h"

namespace bobbin {

alignas(kCacheLine) constinit Lock unnamed_critical;
alignas(kCacheLine) constinit Lock atomic_fallback;
alignas(kCacheLine) constinit Lock combining;

namespace {

struct AcrossFork {
  Lock& lock;
  bool held;
};
AcrossFork across_fork[] = {{atomic_fallback, false}, {combining, false}};

// This must not wait like an ordinary lock(): a fiber that suspends may continue on another kernel
// thread, which is not the one that forks. It must not wait forever either: the holder combines by
// code of the program, which may wait for the caller, or may be the caller. If the lock is not
// acquired, the holder's unfinished work belongs to no thread in the child.
bool take_in_place(Lock& lock) {
  constexpr int kPatience = 1000;
  for (int tries = 0; tries < kPatience; tries++) {
    if (lock.try_lock()) return true;
    syscall(SYS_sched_yield);
  }
  return false;
}

void lock_all() {
  for (AcrossFork& one : across_fork) one.held = take_in_place(one.lock);
}

void unlock_all() {
  for (const AcrossFork& one : across_fork) {
    if (one.held) one.lock.unlock();
  }
}

void free_in_child() {
  for (AcrossFork& one : across_fork) {
    new (&one.lock) Lock;
    one.held = false;
  }
}

constinit ForkLock fork_lock{lock_all, unlock_all, free_in_child, nullptr};

}  // namespace

void init_critical() { add_fork_lock(fork_lock); }

}  // namespace bobbin
