// SPDX-License-Identifier: Apache-2.0
#include "construct/critical.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <new>

#include "sched/fork_handlers.h"

namespace bobbin {

alignas(kCacheLine) constinit Lock unnamed_critical;
alignas(kCacheLine) constinit Lock atomic_fallback;
alignas(kCacheLine) constinit Lock combining;

namespace {

Lock* const held_across_fork[] = {&atomic_fallback, &combining};
bool held[2];

// Not as others wait for a lock: a fiber that suspends may go on as another kernel thread, which is
// not the one that forks. And not for ever: the holder combines by code of the program, which may
// wait for the caller, or be the caller. What it leaves undone is nobody's in the child.
bool take_in_place(Lock& lock) {
  constexpr int kPatience = 1000;
  for (int tries = 0; tries < kPatience; tries++) {
    if (lock.try_lock()) return true;
    syscall(SYS_sched_yield);
  }
  return false;
}

void lock_all() {
  for (int i = 0; i < 2; i++) held[i] = take_in_place(*held_across_fork[i]);
}

void unlock_all() {
  for (int i = 0; i < 2; i++) {
    if (held[i]) held_across_fork[i]->unlock();
  }
}

void free_in_child() {
  for (int i = 0; i < 2; i++) {
    new (held_across_fork[i]) Lock;
    held[i] = false;
  }
}

constinit ForkLock fork_lock{lock_all, unlock_all, free_in_child, nullptr};

}  // namespace

void init_critical() { add_fork_lock(fork_lock); }

}  // namespace bobbin
