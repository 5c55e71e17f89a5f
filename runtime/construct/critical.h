// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "construct/lock.h"

// Mutual exclusion by construct (sections 15.2 and 15.8.4).
namespace bobbin {

// critical without a name: one lock for the program.
extern Lock unnamed_critical;

// Atomic operations that the processor has none for.
extern Lock atomic_fallback;

}  // namespace bobbin
