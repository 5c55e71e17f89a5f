// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "omp-tools.h"

namespace bobbin::insight {

// The recording is open. False: the runtime does not have what the trace needs.
bool watch_for_trace(ompt_function_lookup_t lookup);

}  // namespace bobbin::insight
