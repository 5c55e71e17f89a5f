// SPDX-License-Identifier: Apache-2.0
#include "platform/processors/away.h"

#include "platform/processors/processors.h"

namespace bobbin {

AwayFrom::AwayFrom(int processor) {
  if (processor < 0) return;
  before_ = affinity_mask();
  others_ = before_;
  others_.remove(static_cast<unsigned>(processor));
  if (others_.empty() || others_ == before_) return;
  away_ = set_affinity_mask(others_);
}

AwayFrom::~AwayFrom() {
  if (!away_) return;
  const CpuSet now = affinity_mask();
  if (!now.within(others_)) return;
  ask_for_before();
  if (now == others_) return;
  // The kernel reduces a mask to the processors that it allows. To set a mask and read it back is
  // the only way to learn which those are.
  if (!narrowed_by_kernel(now, others_, affinity_mask())) set_affinity_mask(now);
}

void AwayFrom::ask_for_before() {
  CpuSet whole = before_;
  whole.unite(process_mask());
  // Since Linux 6.2 the kernel remembers the mask that a thread asked for, and applies it when the
  // thread's cpuset grows again. The cpuset may have been small when `before_` was read.
  if (whole != before_ && set_affinity_mask(whole) && affinity_mask().within(before_)) return;
  set_affinity_mask(before_);
}

}  // namespace bobbin
