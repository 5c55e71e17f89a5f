// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "env/affinity_format.h"
#include "env/icv.h"

namespace bobbin {

// What the affinity format can say about the calling thread.
AffinityFields affinity_fields();

// For a thread that begins an implicit task: its line, if OMP_DISPLAY_AFFINITY asks for it and the
// thread's place or its team have changed since the last one (section 21.2.4).
void tell_affinity_change();
inline void tell_affinity_if_asked() {
  if (global_icvs().display_affinity) [[unlikely]]
    tell_affinity_change();
}

}  // namespace bobbin
