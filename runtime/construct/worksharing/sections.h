// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/reductions/reduction.h"
#include "construct/worksharing/loop_counter.h"

// The sections construct (section 11.3): a loop over the sections, numbered from 1.
namespace bobbin {

inline void set_up_sections(WorkShare& share, unsigned count) {
  LoopPlan plan;
  plan.handout = Handout::Counter;
  plan.count = plan.chunks = count;
  plan.work = ompt_work_sections;
  share.plan = plan;
  share.next.store(0, relaxed);
}

inline void enter_sections(Thread& thread, unsigned count, const ShareExtras& extras) {
  enter_share_with(thread, extras, [&](WorkShare& share) { set_up_sections(share, count); });
  tell_entered(thread);
}

// The number of the next section for this thread, 0 if there is none.
inline unsigned next_section(Thread& thread) {
  WorkShare& share = current_share(thread);
  IterationRange range;
  if (!next_counted(share.plan, share.next, range)) return 0;
  if (tool::watched) [[unlikely]]
    tell_section(thread);
  return static_cast<unsigned>(range.first) + 1;
}

}  // namespace bobbin
