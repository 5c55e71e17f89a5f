// SPDX-License-Identifier: Apache-2.0
#include "task/run/own_strand.h"

#include "fiber/context/context.h"
#include "fiber/context/stack.h"
#include "platform/watchers/strand.h"
#include "sched/workers/pool.h"

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
  thread.use_stack(stack.reserve());
  stack.thread_num = -1;
  bobbin_begin_on_stack(&call.back, stack.top(), call_here, &call);
  thread.use_stack(limit);
}

}  // namespace

void call_on_own_strand(Thread& thread, void (*function)(void*), void* argument) {
  Stack* stack = take_stack();
  const bool left_ordered = thread.ordered;
  if (stack != nullptr && left_ordered) happens_before(&thread);
  Call call{function, argument};
  if (const Strand strand(stack != nullptr); stack != nullptr && strand.begun()) {
    thread.ordered = false;
    call_on(thread, *stack, call);
    if (thread.ordered) happens_before(&thread);
    thread.ordered = left_ordered;
  } else if (stack != nullptr && stack_nearly_used_up(thread)) {
    call_on(thread, *stack, call);
  } else {
    if (stack != nullptr) give_stack(stack);
    function(argument);
    return;
  }
  give_stack(stack);
  if (left_ordered) happens_after(&thread);
}

}  // namespace bobbin
