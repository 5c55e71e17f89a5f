// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "words/command_line.h"

namespace bobbin::cli {

// `bobbin report`: one page about a program, from a run under each instrument or from recordings.
class ReportCommand {
 public:
  void add_to(CLI::App& command);

  int execute(const std::vector<std::string>& command) const;

 private:
  int report_on(const std::filesystem::path& folder) const;

  std::string output_ = "report.html";
};

}  // namespace bobbin::cli
