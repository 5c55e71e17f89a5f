// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sched/pool.h"
#include "task/model/promotion.h"
#include "task/model/taskgroup.h"
#include "team/team.h"

// The fast path of a task construct: the task that nobody is hungry for is never made. It runs at
// once in the encountering thread, from the data as they stand there, with a descriptor on the
// stack; no allocation, no shared write, no atomic read-modify-write.
namespace bobbin {

// Goes back up by one level of the task tree. A task that has moved (Task::moved_to) shares this
// look with one that has extras.
[[gnu::always_inline]] inline void end_in_place(Thread& thread, const Task& task) {
  thread.task =
      task.extras == nullptr ? static_cast<Task*>(task.parent) : end_undeferred(*thread.task);
}

inline void run_in_place(Thread& thread, void (*function)(void*), void* data, bool final_task,
                         bool tied) {
  Task task(*thread.task, final_task, tied);
  thread.task = &task;
  function(data);
  end_in_place(thread, task);
}

// Most have a few words of data, for which there is room in a frame of known size.
inline constexpr long kSmallCopy = 64;
inline constexpr long kSmallCopyAlignment = 16;

inline bool is_small_copy(long size, long alignment) {
  return size <= kSmallCopy && alignment <= kSmallCopyAlignment;
}

// Its data are constructed by copy(to, from), on this stack.
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
