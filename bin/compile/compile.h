// SPDX-License-Identifier: Apache-2.0
// `bobbin cc`, `bobbin c++` and `bobbin fc`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bobbin::cli {

inline bool is_compile_command(const std::string& word) {
  return word == "cc" || word == "c++" || word == "fc";
}

const char* compile_help(std::string_view command);

// `bobbin cc|c++|fc WORDS...`: becomes the compiler, which gets what inlines tasks besides the
// words. Returns if that fails.
int compile(const std::string& command, const std::vector<std::string>& words);

}  // namespace bobbin::cli
