// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace bobbin::cli {

// The text as one word of a shell's command line; quoted only where that is needed.
std::string shell_quoted(const std::string& text);

// A command line of these words.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace bobbin::cli
