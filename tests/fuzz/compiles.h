// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace bobbin::fuzz {

// The first error of Clang's in the text, with these options; empty: it is C.
std::string problem_of(const std::string& text, const std::vector<std::string>& options);

}  // namespace bobbin::fuzz
