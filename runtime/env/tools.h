// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Tells a user who has brought a tool along (section 19.2) that nothing will call it: there is no
// tools interface yet. Not if OMP_TOOL=disabled.
void warn_of_tools();

}  // namespace bobbin
