// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace bobbin::cli {

// Prints which OpenMP runtime each of the processes uses. Returns the exit status.
int print_status(const std::vector<int>& processes);

}  // namespace bobbin::cli
