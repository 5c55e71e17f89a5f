// SPDX-License-Identifier: Apache-2.0
#include "task/descriptor.h"

#include <cstdlib>
#include <new>

#include "platform/memory.h"

namespace bobbin {
namespace {

[[gnu::noinline]] bool put_data_apart(Task& task, size_t size, size_t alignment) {
  if (alignment < kCacheLine) alignment = kCacheLine;
  task.data = aligned_alloc(alignment, round_up(size, alignment));
  task.data_apart = true;
  return task.data != nullptr;
}

}  // namespace

Task* make_descriptor_in(void* block, void* data) {
  auto* task = new (block) Task;
  task->kind = TaskKind::Deferred;
  task->data = data;
  return task;
}

Task* make_descriptor(Worker& worker, WithExtras extras, size_t size, size_t alignment) {
  size_t head = sizeof(Task) + (extras == WithExtras::Yes ? sizeof(TaskExtras) : 0);
  // Blocks are aligned to a cache line, and the head's size is a multiple of 8.
  size_t room = size + (alignment > 8 ? alignment : 0);
  bool apart = head + room > kLargestTaskBlock;
  auto* block = static_cast<char*>(take_task_block(worker, apart ? head : head + room));
  if (block == nullptr) return nullptr;
  Task* task = make_descriptor_in(block, nullptr);
  if (extras == WithExtras::Yes) task->extras = new (block + sizeof(Task)) TaskExtras;
  if (!apart) {
    task->data = align_up(block + head, alignment);
  } else if (!put_data_apart(*task, size, alignment)) {
    give_task_block(worker, block);
    return nullptr;
  }
  return task;
}

void free_descriptor(Worker& worker, Task* task, BlockReturns& returns) {
  if (task->data_apart) [[unlikely]]
    free(task->data);
  returns.give(worker, task);
}

void free_descriptor(Worker& worker, Task* task) {
  BlockReturns returns;
  free_descriptor(worker, task, returns);
}

}  // namespace bobbin
