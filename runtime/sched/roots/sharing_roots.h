// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// BOBBIN_SHARE=fair: which roots share the processors.
//
// A root counts while it is in a region. It also counts for a period after a step: it began an
// outermost region, or asked how many threads it would get. A root that is told "one thread" opens
// no region, but computes all the same. The period is twice the time between its last two steps,
// within bounds. So a root that makes a step every 300 ms counts all the time, and a root that has
// stopped soon does not count.
//
// The others see at their next step that a root has begun to count, or has ended. They see that a
// root's period is over when they count anew, at most once each ms.
namespace bobbin {

struct Worker;

// By the kernel thread of the root, which makes a step. Returns the number of roots that count,
// this one included.
unsigned count_sharing_roots(Worker& root);

// The kernel thread of the root ends.
void stop_sharing(Worker& root);

// How many of `all` threads each of `roots` roots gets, if this one wants `wanted`.
inline unsigned fair_part(unsigned wanted, unsigned all, unsigned roots) {
  const unsigned divided = wanted > all ? wanted : all;
  const unsigned part = divided / roots + (divided % roots != 0 ? 1 : 0);
  return wanted < part ? wanted : part;
}

// The same for a root that asks: all that it wants, or one thread if there are not two for each
// root.
inline unsigned all_or_one(unsigned wanted, unsigned all, unsigned roots) {
  const unsigned divided = wanted > all ? wanted : all;
  return roots == 1 || divided / roots >= 2 ? wanted : 1;
}

// How long a root counts for a step at `now`, in ticks. `before`: the last step, 0 if there is
// none.
uint64_t sharing_span(uint64_t before, uint64_t now, uint64_t ticks_per_ms);

}  // namespace bobbin
