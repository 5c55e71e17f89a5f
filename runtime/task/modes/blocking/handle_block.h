// SPDX-License-Identifier: Apache-2.0
// Blocking by a handle. The caller has no Blocker that outlives the call, only the address of the
// task, and the call that lets the task go on may come first.
//
// Each call of block_by() has one call of unblock_by() with the same handle. The first of the two
// leaves a note in a table, and the second one takes it away. So the table has no note of a task
// that has ended, and a handle may serve again.
#pragma once

#include "team/model/thread.h"

namespace bobbin {

void block_by(const void* handle, Thread& thread);

// Called by any kernel thread. False: no memory for a note, and nothing has happened.
bool unblock_by(const void* handle);

void init_handle_blocks();

}  // namespace bobbin
