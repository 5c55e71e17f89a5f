// SPDX-License-Identifier: Apache-2.0
#include "sched/pool.h"

namespace bobbin {
namespace {

struct FreshCall {
  Fiber& fiber;
  void (*function)(void*);
  void* argument;
  void* back = nullptr;  // the context that called
  FloatControl left{};   // what the function has made of it: the thread's, not the stack's
};

void enter_fresh_stack(void* message) {
  auto* call = static_cast<FreshCall*>(message);
  call->function(call->argument);
  call->left.save();
  void* unused;
  bobbin_switch_context(&unused, call->back, nullptr, call->fiber.tls);
}

}  // namespace

void call_on_fresh_stack(Fiber& fiber, void (*function)(void*), void* argument) {
  // The kernel provider's threads keep the thread pointer they have, so a switch does no harm
  // there; but where the processor cannot write it, there is no switch.
  Stack* stack = context_switch_supported() ? take_stack() : nullptr;
  const char* limit = fiber.stack_limit;
  if (stack == nullptr) {
    fiber.stack_limit = nullptr;  // nowhere else to go: take what is left
    function(argument);
    fiber.stack_limit = limit;
    return;
  }
  FreshCall call{fiber, function, argument};
  fiber.stack_limit = stack->reserve();
  stack->thread_num = -1;
  bobbin_switch_context(&call.back, make_context(stack->top(), enter_fresh_stack), &call,
                        fiber.tls);
  call.left.load();
  give_stack(stack);
  fiber.stack_limit = limit;
}

}  // namespace bobbin
