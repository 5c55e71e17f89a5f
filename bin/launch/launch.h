// SPDX-License-Identifier: Apache-2.0
// What commands that start programs on Bobbin have in common.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "files/installation.h"
#include "words/exit_codes.h"

namespace bobbin::cli {

struct Launch {
  int status = kSuccess;  // otherwise it is not possible, and stderr has the reason
  Installation installation;
  std::filesystem::path program;
  std::string libraries;  // what has to be preloaded, in this order

  // The value of LD_PRELOAD: the libraries, and the user's after them.
  std::string preload() const;
};

// `bobbin` is the command in messages: `bobbin run`.
Launch prepare_launch(const std::string& bobbin, const std::vector<std::string>& command);

// Becomes the program. Returns errno if it cannot.
int become_program(const std::filesystem::path& path, const std::vector<std::string>& command);

}  // namespace bobbin::cli
