// SPDX-License-Identifier: Apache-2.0
// The instruments that observe a program for `run`: libraries that record what it does with
// OpenMP, and what is made of their recordings when it has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "files/installation.h"
#include "insight/record/layout.h"
#include "insight/report/profiles/profile.h"
#include "words/command_line.h"

namespace bobbin::cli {

class Instruments {
 public:
  void add_to(CLI::App& command);

  bool wanted() const { return profile_ || span_ || !report_.empty() || !trace_.empty(); }
  // What is wrong with the options; empty: nothing.
  std::string problem() const;
  // The variables by which the program gets the instrument. `folder` is that of the recordings.
  std::vector<std::pair<std::string, std::string>> variables(const Installation& installation,
                                                             const std::string& folder) const;
  // Runs the program as a child, which `execute` becomes, and reports. Returns the exit status.
  int observe(const Installation& installation, const std::string& program,
              const std::function<int()>& execute) const;

 private:
  bool profile_ = false;
  bool span_ = false;
  std::string json_;
  std::string record_;
  std::string report_;
  std::string trace_;
  double trace_last_ = 0;      // seconds; 0: all
  unsigned trace_buffer_ = 0;  // KiB; 0: the instrument's own
};

// The variables by which a program gets an instrument.
std::vector<std::pair<std::string, std::string>> instrument_variables(
    const Installation& installation, insight::Instrument instrument, const std::string& folder);

// Of all processes of a program that has ended.
struct RegionCount {
  uint64_t regions = 0;
  size_t threads = 0;  // that took part
};
RegionCount count_regions(const std::vector<insight::ProcessFigures>& processes);

// `bobbin profile`: the report on recordings that are there, or on a process that runs.
class ProfileCommand {
 public:
  void add_to(CLI::App& command);
  int execute() const;

 private:
  std::string folder_;
  std::string json_;
  int process_ = 0;  // 0: none
  double seconds_ = 10;
};

}  // namespace bobbin::cli
