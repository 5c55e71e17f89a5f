// SPDX-License-Identifier: Apache-2.0
#include "platform/away.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "platform/processors.h"

namespace bobbin {

AwayFrom::AwayFrom(int processor) {
  if (processor < 0) return;
  before_ = affinity_mask();
  others_ = before_;
  others_.remove(static_cast<unsigned>(processor));
  if (others_.empty() || others_ == before_) return;
  away_ = syscall(SYS_sched_setaffinity, 0, sizeof others_, others_.data()) == 0;
}

AwayFrom::~AwayFrom() {
  if (away_ && affinity_mask() == others_)
    syscall(SYS_sched_setaffinity, 0, sizeof before_, before_.data());
}

}  // namespace bobbin
