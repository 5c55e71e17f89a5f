// SPDX-License-Identifier: Apache-2.0
// This file uses longjmp to another stack, which the fortified longjmp forbids.
#undef _FORTIFY_SOURCE
#include "model/fiber.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <cstdlib>

namespace bobbin::model {

Fiber::~Fiber() {
  if (stack_ != nullptr) munmap(stack_, kStack);
}

void Fiber::prepare(void (*entry)(void*), void* argument) {
  if (stack_ == nullptr) {
    stack_ = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack_ == MAP_FAILED) std::abort();
  }
  entry_ = entry;
  argument_ = argument;
  fresh_ = true;
}

void Fiber::trampoline(unsigned high, unsigned low) {
  auto bits = (static_cast<std::uintptr_t>(high) << 32) | low;
  auto* fiber = reinterpret_cast<Fiber*>(bits);
  fiber->entry_(fiber->argument_);
  std::abort();
}

// makecontext is used only to get onto the new stack. swapcontext between running fibers would make
// two system calls for the signal mask each time.
void Fiber::start() {
  fresh_ = false;
  ucontext_t context;
  if (getcontext(&context) != 0) std::abort();
  context.uc_stack.ss_sp = stack_;
  context.uc_stack.ss_size = kStack;
  context.uc_link = nullptr;
  auto bits = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&context, reinterpret_cast<void (*)()>(&Fiber::trampoline), 2,
              static_cast<unsigned>(bits >> 32), static_cast<unsigned>(bits));
  setcontext(&context);
  std::abort();
}

void Fiber::switch_from(Fiber& from) {
  if (_setjmp(from.context_) != 0) return;
  if (fresh_) start();
  _longjmp(context_, 1);
}

}  // namespace bobbin::model
