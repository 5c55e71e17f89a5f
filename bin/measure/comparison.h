// SPDX-License-Identifier: Apache-2.0
// What `bobbin compare` has measured, and what it says about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "measure/timed_run.h"

namespace bobbin::cli {

// The program under one runtime, with the same settings in each of its runs.
struct Side {
  std::string name;        // "Bobbin with OMP_WAIT_POLICY=active"
  std::string threads;     // the value of --threads; empty: what the program takes by itself
  bool on_bobbin = false;  // otherwise as the program is
  Variables variables;
  size_t base = 0;  // the side with which it is compared: the program as it is
  std::vector<double> seconds;
  std::vector<double> processor_seconds;

  std::string title() const { return threads.empty() ? name : name + ", -n " + threads; }
};

struct Comparison {
  std::vector<std::string> command;
  std::vector<std::filesystem::path> libraries;  // the OpenMP runtimes that it loads as it is
  uint64_t regions = 0;                          // of one run
  size_t threads = 0;                            // that it had in one run
  std::vector<Side> sides;
};

std::string comparison_text(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

}  // namespace bobbin::cli
