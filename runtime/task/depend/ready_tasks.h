// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/extras.h"

namespace bobbin {

// Tasks that have become ready together, in that order. They are linked by
// TaskExtras::next_sibling. Otherwise only a shared queue uses that link, and a task is never in
// both.
class ReadyTasks {
 public:
  void add(Task& task) {
    if (last_ == nullptr) {
      first_ = &task;
    } else {
      last_->extras->next_sibling = &task;
    }
    last_ = &task;
  }

  // nullptr: there is none.
  Task* last() const { return last_; }

  // visit(Task&), which may make the task ready.
  template <class Visit>
  void each_before_last(Visit&& visit) const {
    for (Task* task = first_; task != last_;) {
      Task* next = task->extras->next_sibling;  // the task may be gone after the visit
      visit(*task);
      task = next;
    }
  }

 private:
  Task* first_ = nullptr;
  Task* last_ = nullptr;
};

}  // namespace bobbin
