// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace bobbin::cli {

// Replaces this process by the lab, which is written in Python and parses `words` itself. Returns
// only with an exit code.
int run_lab(const std::vector<std::string>& words);

}  // namespace bobbin::cli
