// SPDX-License-Identifier: Apache-2.0
// Which tasks can be parts of their parents.
#pragma once

#include <cstddef>

#include "lower/calls/call_graph.h"

namespace bobbin::translate {

// Nothing in such a task, nor in the functions that it calls and the tasks that these make, can
// tell the task from a part of the one that makes it (docs/notes/inlined-tasks.md). A thread that
// executes it at once then makes no task at all.
class PartPlan {
 public:
  explicit PartPlan(const Translation& translation);
  PartPlan(const PartPlan&) = delete;
  PartPlan& operator=(const PartPlan&) = delete;

  // `number`: of a directive. Waits: a taskwait is in there. Its children must not be mistaken for
  // other children of the parent.
  enum class Part : unsigned char { No, Yes, Waits };
  Part part(size_t number) const;

 private:
  bool tells(const Function& function, Extent extent) const;
  bool waits(Extent extent) const;

  CallGraph graph_;
  Effect tells_;
  Effect waits_;
};

}  // namespace bobbin::translate
