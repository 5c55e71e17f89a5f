// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "words/command_line.h"

namespace bobbin::cli {

// `bobbin stacks`: what the OpenMP threads of a process, or of a core file, do and wait for. gdb
// looks, with the script that lies beside the library.
class StacksCommand {
 public:
  void add_to(CLI::App& command);

  int execute() const;

 private:
  int show_process() const;
  int show_core() const;

  std::string target_;  // a process, or the program of the core file
  std::string core_;
};

}  // namespace bobbin::cli
