// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lower/data/closure.h"

namespace bobbin::translate {

// When a task construct is replayable (OpenMP 6.0, section 14.6): "1", an expression, or "": never.
std::string replayable_if(Translation& translation, const Directive& directive,
                          const Context& context);

// A part of an array, or of what a pointer leads to. The data of a task have the address of its
// first element, and how many bytes that is from where the array begins.
struct RelocatedSection {
  const Variable* variable;
  std::string first;
  std::string offset;
};

// The calls of the runtime that make a construct's tasks, and what they are passed.
struct TaskCall {
  std::string function;    // for tasks that are not replayable
  std::string replayable;  // for those that are
  std::string arguments;   // of both
};

// Calls the one or the other. A replayed task sets the addresses of its shared variables, and of
// `sections`, anew. The closure has been written.
std::string make_tasks(Translation& translation, const Directive& directive, const Closure& closure,
                       const std::vector<RelocatedSection>& sections, const Context& context,
                       const TaskCall& call);

}  // namespace bobbin::translate
