// SPDX-License-Identifier: Apache-2.0
#include "construct/workshare.h"

namespace bobbin {

bool ShareTurn::enter_slowly() {
  for (;;) {
    uint64_t seen = share_.turn.load(acquire);
    uint64_t plain = seen & ~kAwaited;
    if (plain == turn(kOpen)) return false;
    if (plain == turn(kFree)) {
      if (share_.turn.compare_exchange_strong(seen, turn(kSetUp) | (seen & kAwaited), acquire)) {
        return true;
      }
      continue;
    }
    auto changed = [&] { return (share_.turn.load(relaxed) & ~kAwaited) != plain; };
    if (plain == turn(kSetUp) && spin_briefly(changed)) continue;
    uint64_t awaited = plain | kAwaited;
    if (seen != awaited && !share_.turn.compare_exchange_strong(seen, awaited, relaxed)) continue;
    wait_on(self(), {&share_.turn}, [&] { return share_.turn.load(relaxed) == awaited; });
  }
}

}  // namespace bobbin
