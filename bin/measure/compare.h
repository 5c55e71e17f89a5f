// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "launch/launch.h"
#include "words/command_line.h"

namespace bobbin::cli {

// `bobbin compare`: a program on the runtime that it loads, and on Bobbin, by turns.
class CompareCommand {
 public:
  void add_to(CLI::App& command);

  int execute(const std::vector<std::string>& command) const;

 private:
  int runs_ = 5;
  std::string threads_;
  std::vector<std::string> settings_;
  bool same_output_ = false;
  std::string json_;
};

}  // namespace bobbin::cli
