// SPDX-License-Identifier: Apache-2.0
// Tells the translator's own mistakes from those of its users.
#pragma once

#include <string>
#include <vector>

namespace bobbin::cli {

struct TranslatedFile {
  std::string source;
  std::string language;  // of -x; empty: by its name
  std::string translation;
};

// Does the compiler take the source, and refuse what became of it? `compile` is the compiler and
// its options, without files and what says what is made of them.
bool is_fault_of_translation(const std::vector<std::string>& compile, const TranslatedFile& file);

}  // namespace bobbin::cli
