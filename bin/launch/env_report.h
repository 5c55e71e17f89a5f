// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/launch_options.h"

namespace bobbin::cli {

// Prints what the runtime would use in this environment, to which `options` have been applied, and
// where each value came from.
int print_env_report(const LaunchOptions& options);

}  // namespace bobbin::cli
