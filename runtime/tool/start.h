// SPDX-License-Identifier: Apache-2.0
// How a tool starts and ends (sections 19.2.1 to 19.2.4).
#pragma once

#include <cstdint>

#include "omp-tools.h"

namespace bobbin::tool {

// In ticks, when the program called the runtime first. Written once, before the tool starts.
inline constinit uint64_t first_call = 0;

// Is there anything that could be a tool? Asked before the settings are known. If not, `watched` is
// false from here on.
void look_for_tool();

// If `watched`: finds the tool, in the program or a library that is loaded, or in
// OMP_TOOL_LIBRARIES. Starts it, if there is one. `lookup` finds the entry points of the interface
// by name. `libraries` and `verbose` are tool-libraries-var (may be null) and
// tool-verbose-init-var. True: it is active.
bool start_tool(ompt_function_lookup_t lookup, bool enabled, const char* libraries,
                const char* verbose);

// The tool's finalizer is called, once; after it there are no events.
void finalize_tool();

}  // namespace bobbin::tool
