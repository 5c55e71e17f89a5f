// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "words/command_line.h"

namespace bobbin::cli {

// `bobbin system`: makes Bobbin the runtime of all programs that find theirs by ld.so's cache.
class SystemCommand {
 public:
  void add_to(CLI::App& command);

  int execute() const;

 private:
  bool enable_ = false;
  bool disable_ = false;
  bool status_ = false;
  std::string root_;
};

}  // namespace bobbin::cli
