// SPDX-License-Identifier: Apache-2.0
// `bobbin doctor`: which OpenMP libraries a program would load, and whether Bobbin serves all it
// needs.
#pragma once

#include <string>

namespace bobbin::cli {

struct DoctorOptions {
  std::string target;
  bool list_symbols = false;
};

// Examines the target, prints what it found and returns the exit code.
int diagnose(const DoctorOptions& options);

}  // namespace bobbin::cli
