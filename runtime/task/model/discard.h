// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/model/thread.h"

namespace bobbin {

// A detachable task is complete without having begun, and its reference to its parent has been
// given back. This gives back the task's own reference, unless its event is still to come.
void leave_to_event(Task& task);

}  // namespace bobbin
