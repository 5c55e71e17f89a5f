// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// fork(): the child has only the kernel thread that called it. What that thread owns stays good;
// the pool starts afresh with its next region. All locks of the runtime are held across the fork,
// so that what they guard is whole in the child.
void install_fork_handlers();

// Locks of the layers above, taken before and given after those of the layers below; of each other,
// what was added later is taken before and given after.
struct ForkLock {
  void (*lock)();
  void (*unlock)();
  void (*in_child)();  // before unlock, in the child only; may be nullptr
  ForkLock* next;
};
void add_fork_lock(ForkLock& entry);

}  // namespace bobbin
