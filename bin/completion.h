// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "words/command_line.h"

namespace bobbin::cli {

// The word by which the shells' completions (bin/completion/) ask.
inline constexpr const char* kCompleteWord = "__complete";

// Prints what may stand in the place of the last of `words`, one candidate a line, with a tab and
// what it means. A line that begins with a colon tells the shell what it completes itself:
// `:file`, `:process`, `:command`, and `:program N`, the command line of another program from the
// N-th word on.
int complete(CLI::App& app, const std::vector<std::string>& words);

}  // namespace bobbin::cli
