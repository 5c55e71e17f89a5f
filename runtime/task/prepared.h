// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/memory.h"
#include "task/create.h"
#include "task/descriptor.h"
#include "task/in_place.h"
#include "task/task_pool.h"

// LLVM's compilers ask for a task before its construct, write its data in place, and only then say
// what is to become of it. So descriptor and data are made first; whether they are deferred, or the
// task runs at once and the descriptor is not used, is decided later by create_task(). Small tasks
// start as a block with room for both, and get their descriptor when somebody asks for it.
namespace bobbin {

// Where extras lie behind so many bytes of data.
inline size_t extras_offset(size_t bytes) { return round_up(bytes, alignof(TaskExtras)); }

// So much data goes with its descriptor in one block of the pool.
inline constexpr size_t kLargestPreparedBlock = 1024;

// How large that is. Whether the task gets extras is not known yet; room for them, behind the data,
// costs little.
inline size_t prepared_block_bytes(size_t bytes) {
  return sizeof(Task) + extras_offset(bytes) + sizeof(TaskExtras);
}
static_assert(sizeof(Task) + kLargestPreparedBlock + sizeof(TaskExtras) <= kLargestTaskBlock);

// `bytes` of data are at Task::data, aligned to a cache line. nullptr: out of memory.
inline Task* prepare_task(Thread& thread, size_t bytes) {
  size_t room = prepared_block_bytes(bytes) - sizeof(Task);
  return make_descriptor(*thread.worker, WithExtras::No, room, 1);
}

// It never ran, or has run at once.
void free_prepared(Thread& thread, Task& task);

// Gives it what detach needs, before its construct. `bytes` here and below: of data.
Event& prepare_event(Thread& thread, Task& task, size_t bytes);

// An undeferred one whose structured block the program runs between these two.
void begin_prepared(Thread& thread, Task& task, bool final_task, bool tied);
void end_prepared(Thread& thread, Task& task);

// For create_task(): the task is to be deferred; runs at once; is not to run, for its region has
// been cancelled.
void equip_prepared(Task& task, WithExtras extras, size_t bytes);
void run_prepared(Thread& thread, const TaskSpec& spec);
void discard_prepared(Thread& thread, const TaskSpec& spec);

}  // namespace bobbin
