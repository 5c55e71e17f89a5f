// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/create.h"
#include "task/descriptor.h"
#include "task/in_place.h"
#include "task/task_pool.h"

// LLVM's compilers ask for a task before its construct, write its data in place, and only then say
// what is to become of it. So memory for descriptor and data is taken first; whether they are
// deferred, or the task runs at once and no descriptor is needed, is decided later, by
// create_task(). Until then only the data are there.
namespace bobbin {

// Whether the task gets extras is not known yet; room for them, behind the data, costs little.
constexpr size_t prepared_block_bytes(size_t bytes) {
  return sizeof(Task) + bytes + sizeof(TaskExtras) + alignof(TaskExtras) - 1;
}

inline constexpr size_t kLargestPreparedData = kLargestTaskBlock - prepared_block_bytes(0);

// Aligned to a cache line; at most kLargestPreparedData bytes. nullptr: out of memory.
inline void* prepare_data(Thread& thread, size_t bytes) {
  void* block = take_task_block(*thread.worker, prepared_block_bytes(bytes));
  return block != nullptr ? static_cast<Task*>(block) + 1 : nullptr;
}
// The same, as far as it takes no call; nullptr: use the other one.
inline void* prepare_few_data(Thread& thread, size_t bytes) {
  size_t room = prepared_block_bytes(bytes);
  if (room > task_pool::kLargestStep) return nullptr;
  void* block = take_free_task_block(*thread.worker, task_pool::class_of(room));
  return block != nullptr ? static_cast<Task*>(block) + 1 : nullptr;
}
inline void free_data(Thread& thread, void* data) {
  give_task_block(*thread.worker, static_cast<Task*>(data) - 1);
}

// Its descriptor: when it is to be more than run at once.
Task& describe_prepared(void* data);

// The same for more bytes, with the descriptor. nullptr: out of memory.
Task* prepare_task(Thread& thread, size_t bytes);

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
