// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "platform/memory.h"
#include "task/model/extras.h"
#include "task/model/task_data.h"
#include "task/model/task_pool.h"

namespace bobbin {

enum class WithExtras : uint8_t {
  No,
  Room,  // it may get them later
  Yes,
};

// Where extras lie behind so many bytes of data.
inline size_t extras_offset(size_t bytes) { return round_up(bytes, alignof(TaskExtras)); }

// A deferred task's descriptor with room for `size` bytes of data, aligned as the program wants
// them: in one block, but for large data (task/model/data_pool.h). nullptr: out of memory.
Task* make_descriptor(Thread& thread, WithExtras extras, size_t size, size_t alignment);

// In a block of a worker's pool; the data lie wherever the caller says.
Task* make_descriptor_in(void* block, void* data);

// In the room that it has for them, behind its data or, if these are apart, itself.
inline void equip(Task& task, size_t bytes) {
  auto* end = task.data_separate ? reinterpret_cast<char*>(&task + 1)
                                 : static_cast<char*>(task.data) + extras_offset(bytes);
  task.extras = new (end) TaskExtras;
}

// A deferred task's data, from the encountering thread's: by a function of the program's, or
// without one byte by byte.
inline void construct_data(Task& task, void* from, void (*copy)(void*, void*), size_t size) {
  if (copy != nullptr) {
    copy(task.data, from);
    task.must_run = true;
  } else if (size != 0) {  // GCC passes no address with no data
    memcpy(task.data, from, size);
  }
}

// By any worker. The task has completed: if its descriptor stays, what is apart need not.
inline void free_data(Worker& worker, Task& task) {
  if (!task.data_separate) [[likely]]
    return;
  give_data(worker, task.data);
  task.data_separate = false;
}

// By any worker.
void free_descriptor(Worker& worker, Task* task);
void free_descriptor(Worker& worker, Task* task, BlockReturns& returns);

}  // namespace bobbin
