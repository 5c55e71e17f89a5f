// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// fork(): the child has only the kernel thread that called it. All locks of the runtime are held
// across the fork, so that what they guard is whole in the child.
//
// What is added later is taken before, and given back after: the layers above, which may need those
// below while they hold their own, add theirs after them. All is added while the library is loaded.
struct ForkLock {
  void (*lock)();
  void (*unlock)();
  void (*in_child)();  // before any of them is given back; may be nullptr
  ForkLock* next;
};
void add_fork_lock(ForkLock& entry);

// The entry of a lock that has to be held, and of what else there is to do in the child.
template <auto& lock, void (*in_child)() = nullptr>
constinit inline ForkLock held_across_fork{[] { lock.lock(); }, [] { lock.unlock(); }, in_child,
                                           nullptr};

// The entry of what is to be done in the child and needs no lock.
template <void (*in_child)()>
constinit inline ForkLock only_in_child{[] {}, [] {}, in_child, nullptr};

void install_fork_handlers();

}  // namespace bobbin
