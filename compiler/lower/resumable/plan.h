// SPDX-License-Identifier: Apache-2.0
// Which functions and tasks are resumable (include/bobbin/native.h), with --continuations.
#pragma once

#include <set>
#include <vector>

#include "directives/directive.h"
#include "lower/calls/call_graph.h"
#include "sema/program.h"

namespace bobbin::translate {

class Translation;

// A task is resumable if its rest may be executed by another thread. The program allows that by
// `untied`. A tied task is resumable if it cannot tell its thread from another one: it uses no
// thread-local variable and calls only functions of the file that do not, either, and functions of
// the C library that are known for it. A function is resumable if it makes resumable tasks, or
// calls a resumable function in a statement of its own.
//
// Both keep their variables in a frame, so they must not have what needs a stack or exists once:
// pointers to arrays of variable length, volatile and static variables, statement expressions and
// the like. Of directives they contain those that make tasks and wait for them, and those whose
// statement is executed by one thread alone.
class ResumablePlan {
 public:
  explicit ResumablePlan(const Translation& translation);
  ResumablePlan(const ResumablePlan&) = delete;
  ResumablePlan& operator=(const ResumablePlan&) = delete;

  bool is_resumable(const Function& function) const { return functions_.contains(&function); }
  // `number`: of a task directive.
  bool is_resumable(size_t number) const { return tasks_.contains(number); }
  // The function that a statement calls, if it is resumable.
  const Function* resumable_callee(const CallStatement& call) const;
  // The function that the text stands in; null: none.
  const Function* function_around(size_t offset) const { return graph_.around(offset); }

  // Variables that are declared in the extent, but not in a task there.
  std::vector<const Variable*> variables_in(Extent extent) const;
  // Is the place in a task that stands in the extent? Or in the statement of any directive there?
  bool is_in_task(size_t offset, Extent extent) const;
  bool is_in_directive(size_t offset, Extent extent) const;

  bool is_simple_array(Type type) const;

 private:
  bool keeps_no_stack(const Function& function, Extent extent) const;
  bool may_be_resumed(size_t number) const;
  bool uses_thread(const Function& function, Extent extent) const;
  bool has_resume_point(const Function& function) const;

  const Translation& translation_;
  CallGraph graph_;
  Effect tells_threads_;  // from each other
  std::set<size_t> tasks_;
  std::set<const Function*> functions_;
};

}  // namespace bobbin::translate
