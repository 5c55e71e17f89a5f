// SPDX-License-Identifier: Apache-2.0
// The block of memory of a deferred task: descriptor, data, and room for extras.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "platform/memory.h"
#include "task/memory/task_data.h"
#include "task/memory/task_pool.h"
#include "task/model/extras.h"

namespace bobbin {

enum class WithExtras : uint8_t {
  No,
  Room,  // it may get them later
  Yes,
};

// The offset of the extras behind so many bytes of data.
inline size_t extras_offset(size_t bytes) { return round_up(bytes, alignof(TaskExtras)); }

// A deferred task's descriptor with room for `size` bytes of data, aligned as the program wants
// them. They are in one block, except large data (task/memory/data_pool.h). nullptr: out of memory.
Task* make_descriptor(Thread& thread, WithExtras extras, size_t size, size_t alignment);

// Makes the descriptor in a block of a worker's pool; the data lie wherever the caller says.
Task* make_descriptor_in(void* block, void* data);

// The room that the task has for its extras: behind its data or, if these are apart, behind the
// descriptor.
inline void* room_for_extras(Task& task, size_t bytes) {
  return task.data_separate ? reinterpret_cast<char*>(&task + 1)
                            : static_cast<char*>(task.data) + extras_offset(bytes);
}

inline void equip(Task& task, size_t bytes) {
  task.extras = new (room_for_extras(task, bytes)) TaskExtras;
}

// Constructs a deferred task's data from the encountering thread's, with a function of the program
// or, without one, byte by byte.
inline void construct_data(Task& task, void* from, void (*copy)(void*, void*), size_t size) {
  if (copy != nullptr) {
    copy(task.data, from);
    task.must_run = true;
  } else if (size != 0) {  // GCC passes no address if there are no data
    memcpy(task.data, from, size);
  }
}

// Called by any worker. The task has completed. Its descriptor may stay, but data that are apart
// need not.
inline void free_data(Worker& worker, Task& task) {
  if (!task.data_separate) [[likely]]
    return;
  give_data(worker, task.data);
  task.data_separate = false;
}

// Called by any worker.
void free_descriptor(Worker& worker, Task* task);
void free_descriptor(Worker& worker, Task* task, BlockReturns& returns);

}  // namespace bobbin
