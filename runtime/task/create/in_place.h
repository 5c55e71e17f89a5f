// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/workers/pool.h"
#include "task/model/promotion.h"
#include "task/model/taskgroup.h"
#include "team/model/team.h"

// The fast path of a task construct: a task that thieves do not need is never made. The
// encountering thread executes it at once, with the data where they are and a descriptor on the
// stack. That takes no allocation, no shared write and no atomic read-modify-write.
namespace bobbin {

// Goes back up by one level of the task tree. `extras` is also not null in a task that has moved,
// because Task::moved_to is in the same place.
[[gnu::always_inline]] inline void end_in_place(Thread& thread, const Task& task) {
  thread.task = task.extras == nullptr ? static_cast<Task*>(task.parent) : end_undeferred(thread);
}

inline void run_in_place(Thread& thread, void (*function)(void*), void* data, bool final_task,
                         bool tied) {
  Task task(*thread.task, final_task, tied);
  thread.task = &task;
  function(data);
  end_in_place(thread, task);
}

// Most tasks have a few words of data. A frame of known size has room for them.
inline constexpr long kSmallCopy = 64;
inline constexpr long kSmallCopyAlignment = 16;

inline bool is_small_copy(long size, long alignment) {
  return size <= kSmallCopy && alignment <= kSmallCopyAlignment;
}

// copy(to, from) constructs the data of the task on this stack.
inline void run_small_copy_in_place(Thread& thread, void (*function)(void*), void* data,
                                    void (*copy)(void*, void*), bool final_task, bool tied) {
  alignas(kSmallCopyAlignment) char room[kSmallCopy];
  Task task(*thread.task, final_task, tied);
  thread.task = &task;
  copy(room, data);
  function(room);
  end_in_place(thread, task);
}
// The same for data of any size and alignment.
[[gnu::noinline]] void run_copy_in_place(void (*function)(void*), void* data,
                                         void (*copy)(void*, void*), size_t size, size_t alignment,
                                         Thread& thread, bool final_task, bool tied);

}  // namespace bobbin
