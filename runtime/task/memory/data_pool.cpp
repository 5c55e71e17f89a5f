// SPDX-License-Identifier: Apache-2.0
#include "task/memory/data_pool.h"

#include <cstdlib>
#include <new>

#include "platform/memory.h"
#include "platform/watchers/strand.h"

namespace bobbin {

DataHead* allocate_data(size_t bytes, DataPool* pool, unsigned size_class) {
  void* memory = allocate_lines(sizeof(DataHead) + bytes);
  return memory != nullptr ? new (memory) DataHead{memory, pool, nullptr, size_class, 0} : nullptr;
}

void DataPool::to_library(DataHead& head) {
  const Unseen unseen;
  free(head.memory);
}

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

// Idle blocks of other sizes, the largest first, go back if there is no room for the size in use.
// Otherwise a program's first size would keep its later ones from being kept.
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
  return allocate_data(bytes_of(size_class), this, size_class);
}

void DataPool::give_back_all() {
  take_returned();
  make_room(most_idle_ + 1);
}

}  // namespace bobbin
