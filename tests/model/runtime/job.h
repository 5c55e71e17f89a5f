// SPDX-License-Identifier: Apache-2.0
// What a model test's task gets: where to leave word that it has run.
#pragma once

#include "task/create/create.h"

namespace bobbin::model {

template <class Case>
struct JobOf {
  Case* shared;
  int slot;
};

// The job is copied when the task is made of it.
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
