// SPDX-License-Identifier: Apache-2.0
// Collapsed loops that the runtime divides for the program. LLVM's compilers make one loop of them
// themselves.
#include <alloca.h>

#include <cstddef>

#include "abi/export.h"
#include "abi/kmp/ident.h"
#include "construct/worksharing/loop_nest.h"
#include "platform/memory/blocks.h"
#include "team/model/team.h"

using namespace bobbin;
using namespace bobbin::kmp;

BOBBIN_ENTRY uint64_t __kmpc_process_loop_nest_rectang(const Ident*, int32_t, NestedLoop* loops,
                                                       int32_t depth) {
  uint64_t count = count_rectangle(loops, depth);
  close_bounds(loops, depth);
  return count;
}

BOBBIN_ENTRY void __kmpc_calc_original_ivs_rectang(const Ident*, uint64_t iteration,
                                                   const NestedLoop* loops, uint64_t* point,
                                                   int32_t depth) {
  find_in_rectangle(loops, depth, iteration, point);
}

// The calling thread's part is a run of iterations in the order of the loops. Its first point
// becomes the lower bounds of `part`, its last point the upper bounds. 0: the thread has none.
BOBBIN_ENTRY int32_t __kmpc_for_collapsed_init(const Ident*, int32_t, NestedLoop* loops,
                                               NestedLoop* part, int32_t depth, int32_t* last) {
  LoopNest nest(loops, depth);
  size_t bytes = static_cast<size_t>(depth) * sizeof(uint64_t);
  auto* first = static_cast<uint64_t*>(alloca(bytes));
  auto* last_point = static_cast<uint64_t*>(alloca(bytes));
  uint64_t count = nest.count(first);
  const Member& member = *self().member;
  IterationRange own = block_of(count, member.team->size, member.num);
  bool none = own.first == own.last;
  if (last != nullptr) *last = !none && own.last == count ? 1 : 0;
  if (!none) {
    nest.find(own.first, first);
    nest.find(own.last - 1, last_point);
  }
  close_bounds(loops, depth);
  if (none) return 0;
  for (int32_t i = 0; i < depth; i++) {
    part[i] = loops[i];
    part[i].lower = first[i];
    part[i].upper = last_point[i];
    part[i].lower_factor = part[i].upper_factor = 0;
  }
  return 1;
}
