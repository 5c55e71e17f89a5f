// SPDX-License-Identifier: Apache-2.0
// Reductions of parallel, worksharing and scope constructs. Each thread combines its own copies
// with the originals as soon as it has come to the end, by atomic operations or, if there are many
// or the compiler has no such, under a lock. Nobody waits for a partner, as in a tree: on a team
// with more threads than processors that one may not have begun.
//
// With KMP_DETERMINISTIC_REDUCTION threads combine in the order of their numbers, so that rounding
// is the same in each run. Not if OMP_CANCELLATION is on: threads that were cancelled do not come.
#include "abi/export.h"
#include "abi/kmp/critical_name.h"
#include "abi/kmp/ident.h"
#include "construct/critical.h"
#include "construct/turns.h"
#include "env/icv.h"
#include "team/barrier.h"
#include "team/team.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// What the compiler's code branches on.
enum Method : int32_t {
  kCombine = 1,  // then calls __kmpc_end_reduce or __kmpc_end_reduce_nowait
  kCombineAtomically = 2,
};

constexpr int32_t kMostAtomic = 2;  // operations that cost less than taking and leaving a lock

// By what is the same for the whole team: threads that combine by different methods do not exclude
// each other. An array section of variable length is one item, but an operation for each element;
// what tells is that its length stands in the list, too, beside its address.
bool few_operations(int32_t count, size_t bytes) {
  return count <= kMostAtomic && bytes <= static_cast<size_t>(count) * sizeof(void*);
}

int32_t begin_combining(const Ident* place, int32_t count, size_t bytes) {
  Thread& thread = self();
  Member& member = *thread.member;
  if (member.team->serial()) return kCombine;
  if (global_icvs().deterministic_reduction && !global_icvs().cancellation) [[unlikely]] {
    begin_turn(thread);
    member.combining = CombinedUnder::Turn;
    return kCombine;
  }
  if ((place->flags & kAtomicReduction) != 0 && few_operations(count, bytes)) {
    return kCombineAtomically;
  }
  combining.lock();
  member.combining = CombinedUnder::Lock;
  return kCombine;
}

void end_combining() {
  Thread& thread = self();
  CombinedUnder held = thread.member->combining;
  thread.member->combining = CombinedUnder::None;
  if (held == CombinedUnder::Lock) combining.unlock();
  if (held == CombinedUnder::Turn) end_turn(thread);
}

}  // namespace

BOBBIN_ENTRY int32_t __kmpc_reduce_nowait(const Ident* place, int32_t, int32_t count, size_t bytes,
                                          void*, void (*)(void*, void*), CriticalName*) {
  return begin_combining(place, count, bytes);
}

BOBBIN_ENTRY void __kmpc_end_reduce_nowait(const Ident*, int32_t, CriticalName*) {
  end_combining();
}

BOBBIN_ENTRY int32_t __kmpc_reduce(const Ident* place, int32_t, int32_t count, size_t bytes, void*,
                                   void (*)(void*, void*), CriticalName*) {
  return begin_combining(place, count, bytes);
}

// Also called after atomic operations.
BOBBIN_ENTRY void __kmpc_end_reduce(const Ident*, int32_t, CriticalName*) {
  end_combining();
  barrier_wait(self());
}
