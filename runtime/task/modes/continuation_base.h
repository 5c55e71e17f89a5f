// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "task/model/continuation.h"
#include "tool/state.h"

namespace bobbin {

// Where a thread comes back to.
struct ContinuationBase {
  ContinuationBase* outer;
  Continuation* continuation;
  Task* task;
  const char* stack_limit;
  int64_t queue_end;  // items beyond it have been queued since
  void* sp = nullptr;
  ExceptionState exceptions = {};
  Task* next = nullptr;             // to be executed there
  tool::TaskState* told = nullptr;  // that which a tool was told of last there
};

}  // namespace bobbin
