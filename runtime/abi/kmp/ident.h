// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "omp-tools.h"
#include "team/model/thread.h"

// What LLVM's and Intel's compilers pass to nearly every entry point: the place of the call in the
// program, and the calling thread's number.
namespace bobbin::kmp {

// ident_t. Laid out by the compiler.
struct Ident {
  int32_t reserved_1;
  int32_t flags;  // IdentFlag
  int32_t reserved_2;
  int32_t reserved_3;
  const char* source;  // ";file;function;line;column;;"
};

enum IdentFlag : int32_t {
  kAtomicReduction = 0x10,  // the compiler has made code for the atomic method of a reduction
  kExplicitBarrier = 0x20,
  kImplicitBarrier = 0x40,  // at the end of a worksharing construct
  kSectionsWork = 0x400,    // a static loop is that of the sections construct
  kDistributeWork = 0x800,
};

// What a tool is told of a barrier.
inline ompt_sync_region_t barrier_kind(const Ident* place) {
  const int32_t flags = place != nullptr ? place->flags : 0;
  if ((flags & kExplicitBarrier) != 0) return ompt_sync_region_barrier_explicit;
  if ((flags & kImplicitBarrier) != 0) return ompt_sync_region_barrier_implicit_workshare;
  return ompt_sync_region_barrier_implementation;
}

// The number that the program gets from __kmpc_global_thread_num, or through the pointer passed to
// a region's function, and passes to every entry point. Each live OpenMP thread has one; the
// numbers are small and begin at 0. Entry points ignore the number passed: the calling thread is
// always self(). So a number kept from before the thread's last scheduling point, or that of
// another thread, does no harm.
inline int32_t global_thread_num(Thread& thread) {
  return static_cast<int32_t>(thread_index(thread));
}

}  // namespace bobbin::kmp
