// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "instruments.h"
#include "launch_options.h"

namespace bobbin::cli {

enum class RunMode { Execute, Print };

// Replaces this process by the program, or observes it as a child. Returns only with an exit code.
int run_program(const LaunchOptions& options, const Instruments& instruments,
                const std::vector<std::string>& command, RunMode mode);

}  // namespace bobbin::cli
