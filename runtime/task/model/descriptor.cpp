// SPDX-License-Identifier: Apache-2.0
#include "task/model/descriptor.h"

#include <cstddef>
#include <new>

#include "platform/memory.h"
#include "platform/watchers/happens_before.h"
#include "task/memory/bulk.h"

namespace bobbin {
namespace {

[[gnu::noinline]] Task* make_with_data_apart(Thread& thread, size_t extras, size_t size,
                                             size_t alignment) {
  Worker& worker = *thread.worker;
  void* block = take_task_block(worker, sizeof(Task) + extras);
  if (block == nullptr) return nullptr;
  void* data = take_data(worker, size, alignment);
  if (data == nullptr) {
    give_task_block(worker, block);
    return nullptr;
  }
  forget_order(block, sizeof(Task) + extras);
  DataHead::of(data).units = static_cast<uint32_t>(bulk_units(size));
  Task* task = make_descriptor_in(block, data);
  task->data_separate = true;
  return task;
}

}  // namespace

Task* make_descriptor_in(void* block, void* data) {
  auto* task = new (block) Task;
  task->kind = TaskKind::Deferred;
  task->data = data;
  return task;
}

static_assert(sizeof(Task) + 24 + offsetof(TaskExtras, construct) <= 2 * kCacheLine);

// The block holds descriptor, data and extras, in this order.
Task* make_descriptor(Thread& thread, WithExtras extras, size_t size, size_t alignment) {
  size_t more = extras == WithExtras::No ? 0 : sizeof(TaskExtras);
  // Blocks are aligned to a cache line.
  size_t room = extras_offset(size) + (alignment > kCacheLine ? alignment : 0);
  Task* task;
  if (sizeof(Task) + room + more > kLargestTaskBlock) {
    task = make_with_data_apart(thread, more, size, alignment);
    if (task == nullptr) return nullptr;
  } else {
    auto* block = static_cast<char*>(take_task_block(*thread.worker, sizeof(Task) + room + more));
    if (block == nullptr) return nullptr;
    forget_order(block, sizeof(Task) + room + more);
    task = make_descriptor_in(block, align_up(block + sizeof(Task), alignment));
  }
  if (extras == WithExtras::Yes) equip(*task, size);
  return task;
}

void free_descriptor(Worker& worker, Task* task, BlockReturns& returns) {
  free_data(worker, *task);
  returns.give(worker, task);
}

void free_descriptor(Worker& worker, Task* task) {
  BlockReturns returns;
  free_descriptor(worker, task, returns);
}

}  // namespace bobbin
