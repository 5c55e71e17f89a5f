// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <new>

#include "platform/memory.h"

// The functions that LLVM's compilers make from regions. They take the addresses of two thread
// numbers, then the region's shared variables, each in a parameter of its own as wide as a pointer.
namespace bobbin::kmp {

using Microtask = void (*)(int32_t* global_num, int32_t* num, ...);

// Its arguments lie behind it. If they are few, all is in one cache line, which each thread of the
// team has to fetch from the forking thread.
struct MicrotaskCall {
  Microtask function;

  void** arguments() { return reinterpret_cast<void**>(&function + 1); }
  void* const* arguments() const { return reinterpret_cast<void* const*>(&function + 1); }
};

// The size of the place, on the caller's stack, for a MicrotaskCall with `count` arguments.
size_t call_bytes(unsigned count);

inline MicrotaskCall& make_call(void* place, Microtask function) {
  return *new (align_up(place, kCacheLine)) MicrotaskCall{function};
}

inline void collect_arguments(MicrotaskCall& call, unsigned count, va_list list) {
  for (unsigned i = 0; i < count; i++) call.arguments()[i] = va_arg(list, void*);
}

// The function that executes a MicrotaskCall with `count` arguments, on any thread of a team.
using RegionFunction = void (*)(void*);
RegionFunction microtask_caller(unsigned count);

}  // namespace bobbin::kmp
