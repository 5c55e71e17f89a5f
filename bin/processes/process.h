// SPDX-License-Identifier: Apache-2.0
//
// What /proc tells of a running process.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "files/openmp_library.h"

namespace bobbin::cli {

struct Process {
  int id = 0;
  std::string problem;  // why nothing is known of it; empty: it could be read
  bool exists = false;
  std::string name;
  size_t threads = 0;
  std::map<std::filesystem::path, Vendor> libraries;  // the OpenMP libraries that it has mapped
  bool has_static_copy = false;                       // libgomp is linked into the program
  bool preloads_bobbin = false;                       // as `bobbin run` does
  bool took_all_names = false;                        // as enable(restart=False) does in Python
  std::vector<std::string> variables;  // NAME=VALUE, those of OpenMP runtimes, as it was started
};

Process read_process(int id);

// The process that a user names; nothing: this is no number of a process.
std::optional<int> process_number(const std::string& text);

}  // namespace bobbin::cli
