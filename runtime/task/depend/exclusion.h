// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/locks/spinlock.h"
#include "task/depend/node.h"

namespace bobbin {

// Mutual exclusion among the mutexinoutset members of an address (section 15.9.5): the one that
// owns it, and those that wait for it, first come first served. A task that wants several
// exclusions takes all or none, so a waiting task holds none. One lock guards all exclusions of a
// table, because the kind is rare and the lock is held for a few stores. A task that does not get
// them is put aside, in no queue, until the owner completes.
struct Exclusion {
  DependNode* owner = nullptr;
  DependNode* first_waiting = nullptr;
  DependNode* last_waiting = nullptr;
  Exclusion* next_free = nullptr;
  uint32_t number = 0;  // in its table, from 1
};

// An empty request with room for `count` exclusions, which `lock` guards; nullptr: out of memory.
// The same exclusion may be wanted more than once.
ExclusionRequest* make_request(SpinLock& lock, uint32_t count);

// True: the node has all that it wants. False: it was put aside.
bool take_exclusions(DependNode& node);

// Gives them back. Returns the nodes that have thereby got all they want, linked by next_waiting.
DependNode* give_exclusions(DependNode& node);

}  // namespace bobbin
