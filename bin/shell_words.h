// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace bobbin::cli {

// The text as one word of a shell's command line; quoted only where that is needed.
std::string shell_quoted(const std::string& text);

}  // namespace bobbin::cli
