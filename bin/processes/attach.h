// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace bobbin::cli {

// `bobbin profile --pid`: looks at a process that runs for so long, or until SIGINT, and reports.
int profile_process(int process, double seconds, const std::string& json);

}  // namespace bobbin::cli
