// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "print/markers.h"
#include "render/render.h"

namespace bobbin::translate {

// The command line: bobbin-translate INPUT -o OUTPUT --header FILE [-- COMPILER OPTION...]
// --each-line-marked is for `bobbin cc --translate`. It means --self-contained.
struct Options {
  std::string input;
  std::string output;  // empty, or -: standard output
  Markers markers = Markers::Some;
  bool self_contained = false;  // with the text of all headers
  std::string header;           // include/bobbin/native_inline.h; it counts as a system header
  std::vector<std::string> compiler = {"gcc"};

  std::string problem;  // not empty: what is wrong with the command line
};

Options read_options(const std::vector<std::string>& words);

// The user's options that choose the language, for Clang.
std::vector<std::string> language_options(const std::vector<std::string>& compiler);

// Those that the options name: avx2 of -mavx2.
std::vector<std::string> processor_features(const std::vector<std::string>& compiler);

// What the compiler's options say of colours.
Colours colours_of(const std::vector<std::string>& compiler);

}  // namespace bobbin::translate
