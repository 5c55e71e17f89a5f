// SPDX-License-Identifier: Apache-2.0
// What a tool can ask of a thread, a region and a task. Nothing here is written without a tool.
#pragma once

#include "omp-tools.h"
#include "platform/atomic.h"

namespace bobbin::tool {

// A parallel region, and the initial one of a root.
struct Region {
  ompt_data_t data = {};
  const void* code = nullptr;  // the return address of the program's call
  unsigned size = 1;
  int flags = 0;
  struct TaskState* encountering = nullptr;
  Region* league = nullptr;  // the initial region of a team: the teams region that it belongs to
};

// A task. That of an implicit task is in its member, that of an undeferred one on the stack of its
// thread, and that of a deferred one in a block of its own until the task ends.
struct TaskState {
  ompt_data_t data = {};
  ompt_frame_t frame = {};
  int flags = 0;
  unsigned thread_num = 0;
  ompt_dispatch_chunk_t iterations = {};  // of a taskloop that it executes
  uint64_t distributed = 0;               // iterations of the distribute construct that it is in
  Region* region = nullptr;
  // The task that its thread has left for it: the next level for ompt_get_task_info. For an
  // implicit task, the encountering one.
  TaskState* interrupted = nullptr;
};

inline constexpr auto kNoWork = static_cast<ompt_work_t>(0);

struct ThreadState {
  ompt_data_t data = {};
  ompt_state_t state = ompt_state_undefined;
  ompt_wait_id_t wait_id = 0;
  const void* code = nullptr;  // of the call of the program that is being executed
  TaskState* task = nullptr;   // the current one
  ompt_task_status_t leaving = ompt_task_switch;  // of the current task, if the next one begins now
  ompt_work_t work = kNoWork;                     // the worksharing region that it is in
  uint64_t work_count = 0;
  ThreadState* speaks_for = nullptr;  // an ended thread, of which the tool is being told
  // The tool has been told of the thread. Another thread that wakes this one reads it, and may give
  // the tool `data` then (acquire).
  Atomic<bool> begun{false};
  ThreadState* next = nullptr;  // in the list of those that have begun
  ThreadState* previous = nullptr;
};

}  // namespace bobbin::tool
