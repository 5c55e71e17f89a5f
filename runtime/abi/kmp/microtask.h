// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdarg>
#include <cstdint>

// The functions that LLVM's compilers make of regions: they take the addresses of two thread
// numbers, then the region's shared variables, each in a parameter of its own as wide as a pointer.
namespace bobbin::kmp {

using Microtask = void (*)(int32_t* global_num, int32_t* num, ...);

struct MicrotaskCall {
  Microtask function;
  void** arguments;
};

// How many arguments must be readable for a function that takes `count`.
unsigned argument_room(unsigned count);

inline void collect_arguments(void** arguments, unsigned count, va_list list) {
  for (unsigned i = 0; i < count; i++) arguments[i] = va_arg(list, void*);
}

// The function that executes a MicrotaskCall with `count` arguments, on any thread of a team.
using RegionFunction = void (*)(void*);
RegionFunction microtask_caller(unsigned count);

}  // namespace bobbin::kmp
