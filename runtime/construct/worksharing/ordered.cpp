// SPDX-License-Identifier: Apache-2.0
#include "construct/worksharing/ordered.h"

namespace bobbin {

void wait_for_turn(Thread& thread, WorkShare& share, uint64_t first) {
  const Team& team = *thread.member->team;
  // In a cancelled region, the thread that has the turn may have gone to the region's end.
  auto not_yet = [&] {
    return share.ordered.load(acquire) < first && !team.cancelled.load(relaxed);
  };
  // Only the next thread in order may poll the word, because each read takes the cache line away
  // from the threads that pass the turn on.
  const uint64_t chunk = thread.member->position.last - first;
  const WaitKey key{.address = &share.ordered, .part = first};
  while (not_yet()) {
    if (share.ordered.load(relaxed) + chunk >= first) return wait_while(thread, key, not_yet);
    expect_others(team);
    wait_on(thread, key, not_yet);
  }
}

}  // namespace bobbin
