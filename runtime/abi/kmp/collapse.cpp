// SPDX-License-Identifier: Apache-2.0
// Collapsed loops that the program has the runtime divide; LLVM's compilers make one loop of them
// by themselves.
#include <alloca.h>

#include <cstddef>

#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/loop_nest.h"
#include "platform/blocks.h"
#include "team/team.h"

using namespace bobbin;
using namespace bobbin::kmp;

BOBBIN_ENTRY uint64_t __kmpc_process_loop_nest_rectang(const Ident*, int32_t, NestedLoop* loops,
                                                       int32_t depth) {
  close_bounds(loops, depth);
  return count_rectangle(loops, depth);
}

BOBBIN_ENTRY void __kmpc_calc_original_ivs_rectang(const Ident*, uint64_t iteration,
                                                   const NestedLoop* loops, uint64_t* point,
                                                   int32_t depth) {
  find_in_rectangle(loops, depth, iteration, point);
}

// The calling thread's part, a run of iterations in the order of the loops: its first point becomes
// the lower bounds of `part`, its last one the upper bounds. 0: it has none.
BOBBIN_ENTRY int32_t __kmpc_for_collapsed_init(const Ident*, int32_t, NestedLoop* loops,
                                               NestedLoop* part, int32_t depth, int32_t* last) {
  close_bounds(loops, depth);
  LoopNest nest(loops, depth);
  auto* point = static_cast<uint64_t*>(alloca(static_cast<size_t>(depth) * sizeof(uint64_t)));
  uint64_t count = nest.count(point);
  const Member& member = *self().member;
  IterationRange own = block_of(count, member.team->size, member.num);
  bool none = own.first == own.last;
  if (last != nullptr) *last = !none && own.last == count ? 1 : 0;
  if (none) return 0;
  nest.find(own.first, point);
  for (int32_t i = 0; i < depth; i++) {
    part[i] = loops[i];
    part[i].lower = point[i];
    part[i].lower_factor = 0;
  }
  nest.find(own.last - 1, point);
  for (int32_t i = 0; i < depth; i++) {
    part[i].upper = point[i];
    part[i].upper_factor = 0;
  }
  return 1;
}
