// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "task/memory/task_pool.h"
#include "team/model/team.h"

namespace bobbin {

// The task's structured block has ended, its event, if any, is fulfilled, and its successors have
// been released.
void complete(Thread& thread, Task& task, Team& team);

void drop_reference(Task* task);

// Tasks that one thread has completed, and of which their parent and taskgroup have not been told
// yet. They are told of several at once, because their counts lie in lines that the maker of the
// tasks writes too, and each transfer of such a line costs as much as a brief task.
//
// Invariant: while there are such tasks, their thread is inside another task of the same parent and
// the same taskgroup, or looks for the next one without pausing. So a thread that waits for these
// tasks has to wait for that one as well, and nobody waits longer because it is told late.
class Completions {
 public:
  explicit Completions(Thread& thread) : thread_(thread) {}
  Completions(const Completions&) = delete;
  Completions& operator=(const Completions&) = delete;
  ~Completions() { settle(); }

  // The thread is about to begin this one.
  void make_way_for(const Task& next) {
    if (count_ != 0 && (next.parent != parent_ || next.group != group_)) settle();
  }
  // The task has been completed, as a task of the thread's team.
  void add(Task& task);
  // The same, for a task whose descriptor stays, but whose reference to its parent does not.
  void add_kept(const Task& task);
  void settle() { settle(nullptr); }

 private:
  void note(const Task& task);
  void settle(Task* outlived);  // the last one, if others refer to it

  Thread& thread_;
  Task* parent_ = nullptr;
  Taskgroup* group_ = nullptr;
  uint32_t count_ = 0;
  uint64_t weight_ = 0;  // of all of them: task/memory/bulk.h
  // How many references to the parent settle() has to give back for them.
  uint32_t freed_ = 0;
  BlockReturns blocks_;
};

}  // namespace bobbin
