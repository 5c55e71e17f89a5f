// SPDX-License-Identifier: Apache-2.0
// Reductions of parallel, worksharing and scope constructs. Each thread combines its own copies
// with the originals as soon as it reaches the end. It uses atomic operations or, if there are many
// or the compiler has none, a lock. No thread waits for a partner, as in a tree: on a team with
// more threads than processors the partner may not have begun.
//
// With KMP_DETERMINISTIC_REDUCTION threads combine in the order of their numbers, so that rounding
// is the same in each run. This does not hold if OMP_CANCELLATION is on, because cancelled threads
// do not come here.
#include "abi/call_site.h"
#include "abi/export.h"
#include "abi/kmp/critical_name.h"
#include "abi/kmp/ident.h"
#include "construct/locks/critical.h"
#include "construct/tool_events.h"
#include "construct/worksharing/in_thread_order.h"
#include "env/icv.h"
#include "team/members/barrier.h"
#include "team/model/team.h"

using namespace bobbin;
using namespace bobbin::kmp;

namespace {

// The compiler's code branches on these.
enum Method : int32_t {
  kCombine = 1,  // then calls __kmpc_end_reduce or __kmpc_end_reduce_nowait
  kCombineAtomically = 2,
};

constexpr int32_t kMostAtomic = 2;  // so many operations cost less than taking and leaving a lock

// The decision uses only values that are the same for the whole team: threads that combine by
// different methods do not exclude each other. An array section of variable length is one item, but
// needs an operation for each element. It is recognised because the list contains its length, too,
// beside its address.
bool few_operations(int32_t count, size_t bytes) {
  return count <= kMostAtomic && bytes <= static_cast<size_t>(count) * sizeof(void*);
}

// Does the compiler's code call the runtime after it has combined by atomic operations?
enum class AfterAtomic { Call, NoCall };

int32_t begin_combining(const Ident* place, int32_t count, size_t bytes, AfterAtomic after) {
  Thread& thread = self();
  Member& member = *thread.member;
  const bool serial = member.team->serial();
  const bool by_turns =
      global_icvs().deterministic_reduction && !global_icvs().cancellation && !serial;
  const bool atomically = !serial && !by_turns && (place->flags & kAtomicReduction) != 0 &&
                          few_operations(count, bytes);
  // A tool is not told of the begin where the end cannot be seen.
  if (tool::watched && !(atomically && after == AfterAtomic::NoCall)) [[unlikely]]
    tell_reduction(thread, ompt_scope_begin);
  if (atomically) return kCombineAtomically;
  if (serial) return kCombine;
  if (by_turns) [[unlikely]] {
    begin_in_thread_order(thread);
    member.combining = CombinedUnder::Turn;
    return kCombine;
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
  if (held == CombinedUnder::Turn) end_in_thread_order(thread);
  if (tool::watched) [[unlikely]]
    tell_reduction(thread, ompt_scope_end);
}

}  // namespace

BOBBIN_ENTRY int32_t __kmpc_reduce_nowait(const Ident* place, int32_t, int32_t count, size_t bytes,
                                          void*, void (*)(void*, void*), CriticalName*) {
  BOBBIN_CALL_SITE;
  return begin_combining(place, count, bytes, AfterAtomic::NoCall);
}

BOBBIN_ENTRY void __kmpc_end_reduce_nowait(const Ident*, int32_t, CriticalName*) {
  BOBBIN_CALL_SITE;
  end_combining();
}

BOBBIN_ENTRY int32_t __kmpc_reduce(const Ident* place, int32_t, int32_t count, size_t bytes, void*,
                                   void (*)(void*, void*), CriticalName*) {
  BOBBIN_CALL_SITE;
  return begin_combining(place, count, bytes, AfterAtomic::Call);
}

// This is also called after atomic operations.
BOBBIN_ENTRY void __kmpc_end_reduce(const Ident*, int32_t, CriticalName*) {
  BOBBIN_CALL_SITE;
  end_combining();
  barrier_wait(self(), ompt_sync_region_barrier_implicit_workshare);
}
