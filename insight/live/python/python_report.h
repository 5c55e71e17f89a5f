// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace bobbin::insight {

// Where the roots of a process are in Python, with all their frames; empty: in none. The process
// must have loaded Bobbin.
std::string python_stacks_text(int process);

}  // namespace bobbin::insight
