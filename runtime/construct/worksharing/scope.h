// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/reductions/reduction.h"

namespace bobbin {

// The scope construct (section 11.2) with task reductions: the threads only agree on the copies, so
// they leave the region's record at once. The construct's barrier follows in the program.
inline void enter_scope(Thread& thread, uintptr_t* reductions) {
  enter_share_with(thread, {.reductions = reductions}, [](WorkShare&) {});
  leave_share(thread);
}

}  // namespace bobbin
