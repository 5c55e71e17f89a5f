// SPDX-License-Identifier: Apache-2.0
// The context switch for model threads, replacing fiber/context/context.cpp. It does not switch the
// processor's thread pointer, which belongs to the one kernel thread that runs all of them.
#undef _FORTIFY_SOURCE
#include "fiber/context/context.h"

#include <ucontext.h>

#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "fiber/context/exception_state.h"
#include "fiber/context/stack.h"
#include "team/model/thread.h"

namespace bobbin {

thread_local Thread* tls_thread;

ThreadPointer current_thread_pointer() { return tls_thread; }
void set_thread_pointer(ThreadPointer thread_pointer) {
  tls_thread = static_cast<Thread*>(thread_pointer);
}

const char* hindrance_to_context_switch() { return nullptr; }
void exchange_exceptions(ExceptionState&, const ExceptionState&) {}

namespace {

// Lies on the stack of the context that it describes, while that is suspended.
struct Context {
  std::jmp_buf registers;
  void* message = nullptr;
  char* stack = nullptr;  // stack of a context that has not begun
  void (*entry)(void*) = nullptr;
};

void begin(unsigned high, unsigned low) {
  auto bits = (static_cast<std::uintptr_t>(high) << 32) | low;
  auto* context = reinterpret_cast<Context*>(bits);
  context->entry(context->message);
  std::abort();
}

[[noreturn]] void continue_with(Context& context) {
  if (context.entry == nullptr) _longjmp(context.registers, 1);
  ucontext_t start;
  if (getcontext(&start) != 0) std::abort();
  start.uc_stack.ss_sp = context.stack;
  start.uc_stack.ss_size =
      static_cast<std::size_t>(reinterpret_cast<char*>(&context) - context.stack);
  start.uc_link = nullptr;
  auto bits = reinterpret_cast<std::uintptr_t>(&context);
  makecontext(&start, reinterpret_cast<void (*)()>(&begin), 2, static_cast<unsigned>(bits >> 32),
              static_cast<unsigned>(bits));
  setcontext(&start);
  std::abort();
}

}  // namespace

void* make_context(void* stack_top, void (*entry)(void*)) {
  auto* stack = static_cast<Stack*>(stack_top);
  auto room = reinterpret_cast<std::uintptr_t>(stack_top) - sizeof(Context);
  auto* context = new (reinterpret_cast<void*>(room & ~std::uintptr_t{63})) Context;
  context->stack = stack->mapping;
  context->entry = entry;
  return context;
}

extern "C" void* bobbin_switch_context(void** save, void* load, void* message,
                                       ThreadPointer thread_pointer) {
  Context here;
  if (_setjmp(here.registers) == 0) {
    *save = &here;
    auto& next = *static_cast<Context*>(load);
    next.message = message;
    set_thread_pointer(thread_pointer);
    continue_with(next);
  }
  return here.message;
}

namespace {

struct Call {
  LeavingFor (*function)(void*);
  void* argument;
};

void call_and_leave(void* message) {
  const Call call = *static_cast<Call*>(message);  // it lies on the stack that was left
  const LeavingFor next = call.function(call.argument);
  auto& context = *static_cast<Context*>(next.load);
  context.message = next.message;
  continue_with(context);
}

}  // namespace

extern "C" void* bobbin_begin_on_stack(void** save, void* stack_top, LeavingFor (*function)(void*),
                                       void* argument) {
  Call call{function, argument};
  return bobbin_switch_context(save, make_context(stack_top, call_and_leave), &call,
                               current_thread_pointer());
}

}  // namespace bobbin
