// SPDX-License-Identifier: Apache-2.0
// The link of a program with LTO.
#pragma once

#include <string>
#include <vector>

namespace bobbin::cli {

struct LtoLink {
  std::string command;   // of Bobbin's: cc, c++ or fc
  std::string compiler;  // as the user calls it
  std::vector<std::string> words;
  std::vector<std::string> without_lto;
  bool show = false;
};

// Links by gcc with LTO, which Bobbin has switched on. If LTO fails, as by an internal compiler
// error, the link is repeated without it. What the compiler says is shown when it ends. Returns the
// exit status.
int link_with_lto(const LtoLink& link);

}  // namespace bobbin::cli
