// SPDX-License-Identifier: Apache-2.0
#include "abi/tool/watching.h"

#include <cstdlib>

#include "abi/tool/entry_points.h"
#include "env/icv.h"
#include "team/members/tool_events.h"
#include "tool/start.h"

namespace bobbin {

bool start_watching() {
  const GlobalIcvs& icvs = global_icvs();
  const bool enabled = icvs.tool == ToolState::Enabled;
  if (!tool::start_tool(find_entry_point, enabled, icvs.tool_libraries, icvs.tool_verbose_init)) {
    return false;
  }
  atexit(stop_watching);
  return true;
}

}  // namespace bobbin
