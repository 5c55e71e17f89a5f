// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace bobbin::cli {

// One word of a compiler's command line, or an option and the word that is its argument.
struct CompilerWord {
  std::string text;
  std::string argument;
  bool is_input = false;  // a file, or standard input
};

// In the order of the command line. A response file (@FILE) is replaced by the words in it.
std::vector<CompilerWord> read_compiler_words(const std::vector<std::string>& words);

}  // namespace bobbin::cli
