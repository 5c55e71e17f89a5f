// SPDX-License-Identifier: Apache-2.0
#include "task/data_pool.h"

#include <cstdlib>
#include <new>

#include "platform/memory.h"
#include "task/task_pool.h"

namespace bobbin {
namespace {

// Idle ones have their heads at the beginning of their memory.
DataHead& move_head(DataHead& head, void* to) { return *new (to) DataHead(head); }

DataHead* allocate(size_t bytes, DataPool* pool, unsigned size_class) {
  void* memory = allocate_lines(sizeof(DataHead) + bytes);
  return memory != nullptr ? new (memory) DataHead{memory, pool, nullptr, size_class, 0} : nullptr;
}

DataHead* take_head(Worker& worker, size_t room) {
  if (room > kLargestPooledData) [[unlikely]]
    return allocate(room, nullptr, 0);
  TaskPool* pool = task_pool_of(worker);
  return pool != nullptr ? pool->data.take(DataPool::class_of(room)) : nullptr;
}

}  // namespace

void* take_data(Worker& worker, size_t bytes, size_t alignment) {
  if (alignment <= kCacheLine) [[likely]] {
    DataHead* head = take_head(worker, bytes);
    return head != nullptr ? head->data() : nullptr;
  }
  DataHead* head = take_head(worker, bytes + alignment - kCacheLine);
  if (head == nullptr) return nullptr;
  void* data = align_up(head->data(), alignment);
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

void DataPool::to_library(DataHead& head) { free(head.memory); }

void DataPool::give_to_maker(DataHead& head) {
  const size_t bytes = bytes_of(head.size_class);
  if (returned_bytes_.load(relaxed) + bytes > most_idle_) {
    to_library(head);
    return;
  }
  returned_bytes_.fetch_add(bytes, relaxed);
  returned_.push(&head);
}

void DataPool::take_returned() {
  size_t bytes = 0;
  for (DataHead* head = returned_.take_all(); head != nullptr;) {
    DataHead* next = head->next;
    bytes += bytes_of(head->size_class);
    keep(*head);
    head = next;
  }
  if (bytes != 0) returned_bytes_.fetch_sub(bytes, relaxed);
}

// What is idle in other sizes, the largest first, goes when there is no room for what is in use:
// else a program's first size would keep its later ones from being kept.
void DataPool::make_room(size_t bytes) {
  for (unsigned size_class = kClasses; size_class-- != 0;) {
    while (DataHead* head = idle_[size_class]) {
      if (idle_bytes_ + bytes <= most_idle_) return;
      idle_[size_class] = head->next;
      idle_bytes_ -= bytes_of(size_class);
      to_library(*head);
    }
  }
}

[[gnu::noinline]] DataHead* DataPool::take_more(unsigned size_class) {
  if (!returned_.empty()) {
    take_returned();
    if (idle_[size_class] != nullptr) return take(size_class);
  }
  make_room(bytes_of(size_class));
  return allocate(bytes_of(size_class), this, size_class);
}

void DataPool::give_back_all() {
  take_returned();
  make_room(most_idle_ + 1);
}

}  // namespace bobbin
