// SPDX-License-Identifier: Apache-2.0
#include "construct/ordered.h"

namespace bobbin {

void wait_for_turn(Thread& thread, WorkShare& share, uint64_t first) {
  auto not_yet = [&] { return share.ordered.load(acquire) < first; };
  do {
    wait_on(thread, {.address = &share.ordered, .value = first, .spread = first}, not_yet);
  } while (not_yet());
}

}  // namespace bobbin
