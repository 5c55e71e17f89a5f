// SPDX-License-Identifier: Apache-2.0
#include "task/run/own_strand.h"

#include "fiber/context.h"
#include "fiber/stack.h"
#include "platform/strand.h"

namespace bobbin {
namespace {

struct Call {
  void (*function)(void*);
  void* argument;
  void* back = nullptr;  // the context that called
};

LeavingFor call_here(void* message) {
  const auto& call = *static_cast<Call*>(message);
  call.function(call.argument);
  return {call.back, nullptr};
}

void call_on(Thread& thread, Stack& stack, Call& call) {
  renew_stack(stack);
  const char* limit = thread.stack_limit;
  thread.stack_limit = stack.reserve();
  stack.thread_num = -1;
  bobbin_begin_on_stack(&call.back, stack.top(), call_here, &call);
  thread.stack_limit = limit;
}

}  // namespace

void call_on_own_strand(Thread& thread, void (*function)(void*), void* argument) {
  Stack* stack = take_stack();
  if (stack == nullptr) {
    function(argument);
    return;
  }
  const bool left_ordered = thread.ordered;
  if (left_ordered) happens_before(&thread);
  {
    const Strand strand;
    if (strand.begun()) {
      thread.ordered = false;
      Call call{function, argument};
      call_on(thread, *stack, call);
      if (thread.ordered) happens_before(&thread);
    } else {
      function(argument);
    }
  }
  give_stack(stack);
  thread.ordered = left_ordered;
  if (left_ordered) happens_after(&thread);
}

}  // namespace bobbin
