// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "words/command_line.h"

namespace bobbin::cli {

// `bobbin top`: what the processes on Bobbin do, again and again.
class TopCommand {
 public:
  void add_to(CLI::App& command);
  int execute() const;

 private:
  bool once_ = false;
  double seconds_ = 2;
};

}  // namespace bobbin::cli
