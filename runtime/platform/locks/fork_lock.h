// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// After a fork() the child has only the kernel thread that called it. All locks of the runtime are
// held across the fork, so that the data which they guard is consistent in the child.
//
// A lock that is added later is acquired earlier and released later. Upper layers may need the
// locks of lower layers while they hold their own, so they add theirs after them. All locks are
// added while the library is loaded.
struct ForkLock {
  void (*lock)();
  void (*unlock)();
  void (*in_child)();  // runs before any lock is released; may be nullptr
  ForkLock* next;
};
void add_fork_lock(ForkLock& entry);

// The entry of a lock that has to be held, with other work to do in the child.
template <auto& lock, void (*in_child)() = nullptr>
constinit inline ForkLock held_across_fork{[] { lock.lock(); }, [] { lock.unlock(); }, in_child,
                                           nullptr};

// The entry of work to do in the child that needs no lock.
template <void (*in_child)()>
constinit inline ForkLock only_in_child{[] {}, [] {}, in_child, nullptr};

void install_fork_handlers();

}  // namespace bobbin
