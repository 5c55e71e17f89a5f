// SPDX-License-Identifier: Apache-2.0
// Which files are mapped where sites are, so that their addresses can be translated into lines when
// the process has ended. It reads /proc/self/maps and does not ask the loader, because the calling
// thread may be one for which a thread with the loader's lock waits.
#pragma once

#include <cstdint>

#include "insight/record/layout.h"

namespace bobbin::insight {

// Notes the file that is mapped at this address, unless it is known.
void note_module(FixedPart& part, uint64_t address);

// In the child of a fork: a thread that does not exist there may have held the lock.
void forget_lock_of_modules();

}  // namespace bobbin::insight
