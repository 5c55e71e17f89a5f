// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "words/command_line.h"

namespace bobbin::cli {

// What to type instead of a word that is no command, but that names what an option does; empty:
// nothing is known.
std::string instead_of_command(std::string_view word);

// What is wrong with the words, in Bobbin's own terms where CLI11's do not fit.
std::string problem_of(const CLI::ParseError& error);

// Tells it, and which help there is. An empty command is `bobbin` itself. Returns the exit status.
int misused(const std::string& command, const std::string& problem);

}  // namespace bobbin::cli
