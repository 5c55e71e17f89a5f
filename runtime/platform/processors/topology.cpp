// SPDX-License-Identifier: Apache-2.0
#include "platform/processors/topology.h"

#include <cstdlib>

namespace bobbin {

void Topology::clear() {
  std::free(processors_);
  processors_ = nullptr;
  count_ = 0;
}

unsigned Topology::index_of(unsigned cpu) const {
  for (unsigned i = 0; i < count_; ++i) {
    if (processors_[i].cpu == cpu) return i;
  }
  return count_;
}

}  // namespace bobbin
