// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "omp-tools.h"

namespace bobbin {

// The entry point of that name for tools (section 19.6); nullptr: there is none.
ompt_interface_fn_t find_entry_point(const char* name);

}  // namespace bobbin
