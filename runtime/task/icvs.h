// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/thread.h"

namespace bobbin {

// The ICVs of the current task's data environment (section 2.4).
inline const Icvs& current_icvs() { return *self().task->icvs; }

// The same, to be changed: a task shares its parent's until then. Tasks that it has made already
// keep what they inherited.
Icvs& writable_icvs();

}  // namespace bobbin
