// SPDX-License-Identifier: Apache-2.0
// `bobbin translate` and `bobbin cc --translate`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "files/installation.h"

namespace bobbin::cli {

const char* translate_help();

// `bobbin translate WORDS...`: becomes the translator, or tells why it cannot.
int translate(const std::vector<std::string>& words);

// Is the translator installed? If not, it says how to get it.
bool has_translator(const Installation& installation);

// `bobbin cc --translate`: translates the C sources among the compiler's words, and has it compile
// and link the result. Returns the exit status.
struct TranslatedCompile {
  std::filesystem::path compiler;
  std::vector<std::string> words;
  bool show = false;
  bool posix_threads = false;  // link with libbobbin-posix.a instead of Bobbin
};
int compile_translated(const Installation& installation, const TranslatedCompile& request);

}  // namespace bobbin::cli
