// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin {

// With BOBBIN_TUNING=counters: writes the sums to stderr when the process ends.
void report_heuristics_at_exit();

}  // namespace bobbin
