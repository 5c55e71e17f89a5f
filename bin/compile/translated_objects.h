// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "compile/compiler_words.h"
#include "files/installation.h"

namespace bobbin::cli {

// Does one of the objects or archives call what only the translator writes calls of?
bool has_translated_objects(const std::vector<CompilerWord>& words);

// The words of a link that such objects need: Bobbin itself, and where it is found. What was not
// translated finds it there under its runtime's name.
std::vector<std::string> words_of_library(const Installation& installation);

}  // namespace bobbin::cli
