// SPDX-License-Identifier: Apache-2.0
#include "sched/workers/pool.h"

namespace bobbin {
namespace {

struct FreshCall {
  Fiber& fiber;
  void (*function)(void*);
  void* argument;
  void* back = nullptr;  // the context that called
  FloatControl left{};   // as the function left it: it belongs to the thread, not to the stack
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
  // Threads of the kernel provider keep their thread pointer, so a switch does no harm there. But
  // where the processor cannot write the thread pointer, there is no switch.
  Stack* stack = context_switch_supported() ? take_stack() : nullptr;
  const char* limit = fiber.stack_limit;
  if (stack == nullptr) {
    fiber.use_stack(nullptr);  // no other stack: use what is left of this one
    function(argument);
    fiber.use_stack(limit);
    return;
  }
  FreshCall call{fiber, function, argument};
  fiber.use_stack(stack->reserve());
  stack->thread_num = -1;
  bobbin_switch_context(&call.back, make_context(stack->top(), enter_fresh_stack), &call,
                        fiber.tls);
  call.left.load();
  give_stack(stack);
  fiber.use_stack(limit);
}

}  // namespace bobbin
