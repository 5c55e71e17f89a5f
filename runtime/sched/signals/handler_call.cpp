// SPDX-License-Identifier: Apache-2.0
#include "sched/signals/handler_call.h"

#include "platform/locks/handlers_wait.h"
#include "platform/signals/interrupted.h"
#include "platform/signals/signal_actions.h"
#include "sched/workers/signal_mask.h"

namespace bobbin {
namespace {

// The lowest address of the stack that the frame is on; nullptr: unknown.
const char* lowest_of_stack(const char* frame, const Fiber& fiber, const Interrupted& at) {
  if (fiber.stack != nullptr && fiber.stack->holds(frame)) return fiber.stack->limit();
  if (at.on_alternate_stack(frame)) return at.alternate_stack();
  const Stack* stack = stack_with(frame);
  return stack != nullptr ? stack->limit() : nullptr;
}

// While the handler runs, the signals are blocked that the program wants blocked.
SignalSet mask_in_handler(SignalSet before, const struct sigaction& action, int signal) {
  before |= to_signal_set(action.sa_mask);
  if ((action.sa_flags & SA_NODEFER) == 0) before |= bit_of_signal(signal);
  return blockable(before);
}

}  // namespace

void adopt_mask(Fiber& fiber, SignalSet blocked, MaskSet by) {
  fiber.blocked = blocked;
  if (by == MaskSet::ByRuntime) {
    load_signal_mask(*fiber.worker, blocked);
  } else {
    fiber.worker->blocked = blocked;
  }
}

void call_as(Fiber& fiber, const struct sigaction& action, int signal, siginfo_t* info,
             void* context, MaskSet by) {
  const ThreadPointer present = current_thread_pointer();
  if (present != fiber.tls) set_thread_pointer(fiber.tls);
  const auto* frame = static_cast<const char*>(__builtin_frame_address(0));
  Interrupted at(context);
  const Worker* worker = fiber.worker;
  const SignalSet of_kernel_thread = at.blocked();
  const SignalSet before = fiber.blocked;
  {
    const HandlersWait until_blocked;  // else the next signal of this number could come first
    at.set_blocked(before);
    fiber.handlers.enter(frame, lowest_of_stack(frame, fiber, at), before);
    adopt_mask(fiber, mask_in_handler(before, action, signal), by);
  }
  call_program_handler(action, signal, info, context);
  fiber.handlers.leave(frame);
  const SignalSet after = at.blocked();
  adopt_mask(fiber, after != before ? blockable(after) : before, by);
  const bool as_before = after == before && fiber.worker == worker;
  at.set_blocked(as_before ? of_kernel_thread : kernel_mask_of(*fiber.worker, fiber.blocked));
  fiber.handled++;
  if (present != fiber.tls) set_thread_pointer(present);
}

}  // namespace bobbin
