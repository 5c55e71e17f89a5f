// SPDX-License-Identifier: Apache-2.0
#include "fiber/context/context.h"

#include <dlfcn.h>

#include "platform/shadow_stack.h"

namespace bobbin {
namespace {

// The sanitizers keep data about the running thread and its stack in TLS variables of their own.
bool sanitizer_present() {
  static const char* const kNames[] = {"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init",
                                       "__safestack_init"};
  for (const char* name : kNames) {
    if (dlsym(RTLD_DEFAULT, name) != nullptr) return true;
  }
  return false;
}

const char* find_hindrance() {
  if (!thread_pointer_writable()) return "no way to write the thread pointer (x86-64: FSGSBASE)";
  if (sanitizer_present()) return "a sanitizer keeps its own account of threads and their stacks";
  if (has_shadow_stack(shadow_stack_status())) return "a shadow stack goes with the kernel thread";
  return nullptr;
}

}  // namespace

const char* hindrance_to_context_switch() {
  static const char* const hindrance = find_hindrance();
  return hindrance;
}

#if !defined(__x86_64__) && !defined(__aarch64__)

bool thread_pointer_writable() { return false; }

extern "C" void* bobbin_switch_context(void**, void*, void*, ThreadPointer) { __builtin_trap(); }

extern "C" void* bobbin_begin_on_stack(void**, void*, LeavingFor (*)(void*), void*) {
  __builtin_trap();
}

bool in_context_switch(uintptr_t) { return false; }

void* make_context(void*, void (*)(void*)) { return nullptr; }

#endif

}  // namespace bobbin
