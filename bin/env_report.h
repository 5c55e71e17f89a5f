// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace bobbin::cli {

// Prints what the runtime would use in this environment and where each value came from.
int print_env_report();

}  // namespace bobbin::cli
