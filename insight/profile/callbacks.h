// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "omp-tools.h"

namespace bobbin::insight {

// Asks to be told of all events that the profile needs. `lookup` finds the runtime's functions.
// False: the runtime lacks one that the profile cannot do without.
bool watch_for_profile(ompt_function_lookup_t lookup);

}  // namespace bobbin::insight
