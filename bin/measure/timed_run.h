// SPDX-License-Identifier: Apache-2.0
// Runs of a program whose time is taken, and whose output goes to files.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace bobbin::cli {

using Variables = std::vector<std::pair<std::string, std::string>>;

struct TimedRun {
  int process = 0;
  double seconds = 0;
  double processor_seconds = 0;
  std::string problem;  // why it was no success; empty: its exit status is 0
  int signal = 0;       // that has killed it, if any
};

class TimedRuns {
 public:
  // `folder` gets the output.
  TimedRuns(std::filesystem::path program, std::vector<std::string> command,
            std::filesystem::path folder)
      : program_(std::move(program)), command_(std::move(command)), folder_(std::move(folder)) {}

  // Each run reads the standard input anew if that is a file, and otherwise nothing.
  TimedRun run(const Variables& variables) const;

  // What the last run has written on stdout.
  std::filesystem::path output() const { return folder_ / "stdout"; }

 private:
  int become(const Variables& variables) const;
  std::string last_line_of_stderr() const;

  std::filesystem::path program_;
  std::vector<std::string> command_;
  std::filesystem::path folder_;
};

// Why runs could not all have the same standard input; empty: they can.
std::string input_problem();

// The first line in which the second file is another one than the first; empty: they are equal.
std::string first_difference(const std::filesystem::path& expected,
                             const std::filesystem::path& found);

}  // namespace bobbin::cli
