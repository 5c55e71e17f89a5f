// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace bobbin::cli {

// `bobbin report`: one page about a program, from a run under each instrument.
class ReportCommand {
 public:
  void add_to(CLI::App& command);

  int execute(const std::vector<std::string>& command) const;

 private:
  std::string output_ = "report.html";
};

}  // namespace bobbin::cli
