// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace bobbin::fuzz {

// The first error of Clang's in the text; empty: it is C.
std::string problem_of(const std::string& text);

}  // namespace bobbin::fuzz
