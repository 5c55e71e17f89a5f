// SPDX-License-Identifier: Apache-2.0
// The data of a model test's task: where it records that it has run.
#pragma once

#include "task/create/create.h"

namespace bobbin::model {

template <class Case>
struct JobOf {
  Case* shared;
  int slot;
};

// Deferred, even if few threads may take it.
inline constexpr RareSpec kLookAhead{.look_ahead = true};

// The job is copied when the task is made from it.
template <class Case>
TaskSpec spec_of(JobOf<Case>& job, void (*function)(void*)) {
  TaskSpec spec;
  spec.function = function;
  spec.data = &job;
  spec.size = sizeof job;
  spec.alignment = alignof(JobOf<Case>);
  return spec;
}

}  // namespace bobbin::model
