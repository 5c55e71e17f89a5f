// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// BOBBIN_SHARE=fair: who divides the processors.
//
// A root counts while it is in a region, and for a while after it began its last outermost one or
// asked how many threads it would get: whoever is told "one thread" opens no region, but computes
// all the same. That while is as long as two of its last such steps were apart, within bounds, so
// whoever makes a step every 300 ms counts all the time, and who has stopped soon does not.
//
// A root that begins to count, or ends, is seen by the others at their next step. That somebody's
// while is over they see when they count anew, each ms at most.
namespace bobbin {

struct Worker;

// By the kernel thread of the root: it makes a step. The roots that count, this one included.
unsigned count_sharing_roots(Worker& root);

// The kernel thread of the root ends.
void stop_sharing(Worker& root);

// How many of `all` threads each of `roots` gets of which this one wants `wanted`.
inline unsigned fair_part(unsigned wanted, unsigned all, unsigned roots) {
  const unsigned divided = wanted > all ? wanted : all;
  const unsigned part = divided / roots + (divided % roots != 0 ? 1 : 0);
  return wanted < part ? wanted : part;
}

// The same for one that asks: all that it wants, or one thread where there are not two for each.
inline unsigned all_or_one(unsigned wanted, unsigned all, unsigned roots) {
  const unsigned divided = wanted > all ? wanted : all;
  return roots == 1 || divided / roots >= 2 ? wanted : 1;
}

// How long a root counts for a step at `now`, in ticks. `before`: the last one, 0 if there is none.
uint64_t sharing_span(uint64_t before, uint64_t now, uint64_t ticks_per_ms);

}  // namespace bobbin
