// SPDX-License-Identifier: Apache-2.0
#include "construct/ordered.h"

namespace bobbin {

void wait_for_turn(Thread& thread, WorkShare& share, uint64_t first) {
  const Team& team = *thread.member->team;
  // In a cancelled region, who has the turn may have gone to its end.
  auto not_yet = [&] {
    return share.ordered.load(acquire) < first && !team.cancelled.load(relaxed);
  };
  do {
    wait_on(thread, {.address = &share.ordered, .part = first}, not_yet);
  } while (not_yet());
}

}  // namespace bobbin
