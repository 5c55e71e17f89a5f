// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// Looks for a race detector in the process. Asks the loader.
void init_race_detector();

}  // namespace bobbin
