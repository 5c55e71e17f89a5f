// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

#include "platform/memory.h"
#include "task/create/in_place.h"
#include "task/model/descriptor.h"
#include "task/model/task_pool.h"
#include "task/model/task_spec.h"

// LLVM's compilers ask for a task before its construct, write its data in place, and only then say
// what is to become of it. So descriptor and data are made first; whether they are deferred, or the
// task runs at once and the descriptor is not used, is decided later by create_task(). Small tasks
// start as a block with room for both, and get their descriptor when somebody asks for it. Those
// that run at once, without one, take turns with few blocks, which the thread keeps. A block that
// is deferred after all goes back to its maker, as others do.
namespace bobbin {

struct SpareBlock {
  SpareBlock* next;
};

// What a small task is: so much data, with room for descriptor and extras in a block of one size.
inline constexpr size_t kSmallBlock = 256;
inline constexpr size_t kSmallData = kSmallBlock - sizeof(Task) - sizeof(TaskExtras);

// nullptr: out of memory.
inline void* take_small_block(Thread& thread) {
  SpareBlock* block = thread.spare_blocks;
  if (block == nullptr) [[unlikely]]
    return take_task_block(*thread.worker, kSmallBlock);
  thread.spare_blocks = block->next;
  return block;
}

// By the thread that took it.
inline void keep_small_block(Thread& thread, void* block) {
  thread.spare_blocks = new (block) SpareBlock{thread.spare_blocks};
}

// `bytes` of data are at Task::data, aligned to a cache line. nullptr: out of memory.
inline Task* prepare_task(Thread& thread, size_t bytes) {
  return make_descriptor(thread, WithExtras::Room, bytes, 1);
}

// It never ran, or has run at once.
void free_prepared(Thread& thread, Task& task);

// Gives it what detach needs, before its construct. `bytes` here and below: of data.
Event& prepare_event(Thread& thread, Task& task, size_t bytes);

// An undeferred one whose structured block the program runs between these two. `data`: the task's,
// as they were prepared.
void begin_prepared(Thread& thread, Task& task, bool final_task, bool tied, Impex impex);
void end_prepared(Thread& thread, Task& task, void* data);

// For create_task(): the task is to be deferred; runs at once; is not to run, for its region has
// been cancelled.
void equip_prepared(Task& task, WithExtras extras, size_t bytes);
void run_prepared(Thread& thread, const TaskSpec& spec);
void discard_prepared(Thread& thread, const TaskSpec& spec);

}  // namespace bobbin
