// SPDX-License-Identifier: Apache-2.0
#include "task/descriptor.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#include "platform/memory.h"
#include "task/bulk.h"

namespace bobbin {
namespace {

// Lies before data that are apart.
struct ApartHead {
  void* block;
  Team* team;  // that counts them: task/bulk.h
  uint64_t units;
};
static_assert(sizeof(ApartHead) <= kCacheLine);

[[gnu::noinline]] bool put_data_apart(Thread& thread, Task& task, size_t size, size_t alignment) {
  if (alignment < kCacheLine) alignment = kCacheLine;
  void* block = aligned_alloc(alignment, alignment + round_up(size, alignment));
  if (block == nullptr) return false;
  task.data = static_cast<char*>(block) + alignment;
  task.data_apart = true;
  Member& member = *thread.member;
  const uint64_t units = bulk_units(size);
  new (static_cast<ApartHead*>(task.data) - 1) ApartHead{block, member.team, units};
  add_bulk(member, units);
  return true;
}

[[gnu::noinline]] void free_apart(void* data) {
  const ApartHead& head = static_cast<ApartHead*>(data)[-1];
  remove_bulk(*head.team, head.units);
  free(head.block);
}

}  // namespace

Task* make_descriptor_in(void* block, void* data) {
  auto* task = new (block) Task;
  task->kind = TaskKind::Deferred;
  task->data = data;
  return task;
}

static_assert(sizeof(Task) + 24 + offsetof(TaskExtras, construct) <= 2 * kCacheLine);

// In the order descriptor, data, extras.
Task* make_descriptor(Thread& thread, WithExtras extras, size_t size, size_t alignment) {
  size_t more = extras == WithExtras::Yes ? sizeof(TaskExtras) : 0;
  // Blocks are aligned to a cache line.
  size_t room = extras_offset(size) + (alignment > kCacheLine ? alignment : 0);
  bool apart = sizeof(Task) + room + more > kLargestTaskBlock;
  if (apart) room = 0;
  auto* block = static_cast<char*>(take_task_block(*thread.worker, sizeof(Task) + room + more));
  if (block == nullptr) return nullptr;
  void* data = apart ? nullptr : align_up(block + sizeof(Task), alignment);
  Task* task = make_descriptor_in(block, data);
  if (extras == WithExtras::Yes) task->extras = new (block + sizeof(Task) + room) TaskExtras;
  if (apart && !put_data_apart(thread, *task, size, alignment)) {
    give_task_block(*thread.worker, block);
    return nullptr;
  }
  return task;
}

void free_descriptor(Worker& worker, Task* task, BlockReturns& returns) {
  if (task->data_apart) [[unlikely]]
    free_apart(task->data);
  returns.give(worker, task);
}

void free_descriptor(Worker& worker, Task* task) {
  BlockReturns returns;
  free_descriptor(worker, task, returns);
}

}  // namespace bobbin
