// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "team/thread.h"

namespace bobbin {

// A detachable task is complete without having begun, and its reference to its parent has been
// given back: gives back its own one, unless its event is to come.
void leave_to_event(Task& task);

}  // namespace bobbin
