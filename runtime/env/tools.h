// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Tells a user who has loaded a tool (section 19.2) that nothing will call it, because there is no
// tools interface yet. Silent if OMP_TOOL=disabled.
void warn_of_tools();

}  // namespace bobbin
