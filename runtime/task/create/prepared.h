// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

#include "platform/memory.h"
#include "task/create/in_place.h"
#include "task/memory/task_pool.h"
#include "task/model/descriptor.h"
#include "task/model/task_spec.h"

// The code of LLVM's compilers asks for a task before its construct, writes its data in place, and
// only then submits it. So descriptor and data are made first, and create_task() decides later
// whether the task is deferred, or runs at once and does not use the descriptor. A small task
// starts as a block with room for both. It gets its descriptor only when that is needed. Tasks that
// run at once without one use the same few blocks in turn, which the thread keeps. The block of a
// task that is deferred goes back to its maker, as other blocks do.
namespace bobbin {

struct SpareBlock {
  SpareBlock* next;
};

// A small task has at most so much data. A block of one size has room for its descriptor and
// extras, too.
inline constexpr size_t kSmallBlock = 256;
inline constexpr size_t kSmallData = kSmallBlock - sizeof(Task) - sizeof(TaskExtras);

void* take_new_small_block(Thread& thread);
// nullptr: out of memory.
inline void* take_small_block(Thread& thread) {
  SpareBlock* block = thread.spare_blocks;
  if (block == nullptr) [[unlikely]]
    return take_new_small_block(thread);
  thread.spare_blocks = block->next;
  return block;
}

// Called by the thread that took the block.
inline void keep_small_block(Thread& thread, void* block) {
  thread.spare_blocks = new (block) SpareBlock{thread.spare_blocks};
}

// `bytes` of data are at Task::data, aligned to a cache line. nullptr: out of memory.
inline Task* prepare_task(Thread& thread, size_t bytes) {
  return make_descriptor(thread, WithExtras::Room, bytes, 1);
}

// For a task that never ran, or has run at once.
void free_prepared(Thread& thread, Task& task);

// Gives the task what detach needs, before its construct. Here and below the task has so many bytes
// of data.
Event& prepare_event(Thread& thread, Task& task, size_t bytes);

// An undeferred task whose structured block the program runs between these two calls.
void begin_prepared(Thread& thread, Task& task, size_t bytes, bool final_task, bool tied,
                    Impex impex);
void end_prepared(Thread& thread, Task& task, size_t bytes);

// For create_task(): the task is deferred; it runs at once; it does not run, because its region has
// been cancelled.
void equip_prepared(Task& task, WithExtras extras, size_t bytes);
void run_prepared(Thread& thread, const TaskSpec& spec);
void discard_prepared(Thread& thread, const TaskSpec& spec);

}  // namespace bobbin
