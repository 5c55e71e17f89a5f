// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/spinlock.h"
#include "task/depend/node.h"

namespace bobbin {

// Mutual exclusion among the mutexinoutset members of an address (section 15.9.5): who has it, and
// who waits for it, first come first. A task that wants several takes all or none, so none of them
// is held by one who waits. All of a table's are guarded by one lock: the kind is rare and the lock
// is held for some stores. A task that does not get them is put aside, and not in any queue, until
// the owner completes.
struct Exclusion {
  DependNode* owner = nullptr;
  DependNode* first_waiting = nullptr;
  DependNode* last_waiting = nullptr;
  Exclusion* next_free = nullptr;
  uint32_t number = 0;  // in its table, from 1
};

// A request with room for `count` exclusions, which `lock` guards, empty; nullptr: out of memory.
// One of them may be wanted more than once.
ExclusionRequest* make_request(SpinLock& lock, uint32_t count);

// True: the node has all that it wants. False: it was put aside.
bool take_exclusions(DependNode& node);

// Gives them back. Returns those who have got all they want by that, linked by next_waiting.
DependNode* give_exclusions(DependNode& node);

}  // namespace bobbin
