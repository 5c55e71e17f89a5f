// SPDX-License-Identifier: Apache-2.0
#include "task/memory/task_data.h"

#include <cstdlib>
#include <new>

#include "platform/memory.h"
#include "platform/watchers/happens_before.h"
#include "task/memory/data_pool.h"
#include "task/memory/task_pool.h"

namespace bobbin {
namespace {

// Idle blocks have their heads at the beginning of their memory.
DataHead& move_head(DataHead& head, void* to) { return *new (to) DataHead(head); }

DataHead* take_head(Worker& worker, size_t room) {
  if (room > kLargestPooledData) [[unlikely]]
    return allocate_data(room, nullptr, 0);
  TaskPool* pool = task_pool_of(worker);
  return pool != nullptr ? pool->data.take(DataPool::class_of(room)) : nullptr;
}

}  // namespace

void* take_data(Worker& worker, size_t bytes, size_t alignment) {
  if (alignment <= kCacheLine) [[likely]] {
    DataHead* head = take_head(worker, bytes);
    if (head == nullptr) return nullptr;
    forget_order(head->data(), bytes);
    return head->data();
  }
  DataHead* head = take_head(worker, bytes + alignment - kCacheLine);
  if (head == nullptr) return nullptr;
  void* data = align_up(head->data(), alignment);
  forget_order(data, bytes);
  move_head(*head, &DataHead::of(data));
  return data;
}

void give_data(Worker& worker, void* data) {
  DataHead* head = &DataHead::of(data);
  if (head != head->memory) [[unlikely]]
    head = &move_head(*head, head->memory);
  if (head->pool == nullptr) [[unlikely]] {
    free(head->memory);
  } else if (worker.task_pool != nullptr && head->pool == &worker.task_pool->data) {
    head->pool->keep(*head);
  } else {
    head->pool->give_to_maker(*head);
  }
}

void give_back_idle_data(Worker& worker) {
  if (worker.task_pool != nullptr) worker.task_pool->data.give_back_all();
}

}  // namespace bobbin
