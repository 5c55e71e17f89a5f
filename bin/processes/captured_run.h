// SPDX-License-Identifier: Apache-2.0
// Commands whose output is read.
#pragma once

#include <string>
#include <vector>

namespace bobbin::cli {

struct Outcome {
  int status = -1;   // the exit status; -1: it was not started, or has ended by a signal
  std::string said;  // what it has printed on stdout and stderr

  bool failed() const { return status != 0; }
};

// Runs a command, in the C locale and without input, until it ends.
Outcome captured_run(const std::vector<std::string>& words);

// The first line with an error in what a command has said, from where the line may tell the place.
std::string first_error(const std::string& said);

}  // namespace bobbin::cli
