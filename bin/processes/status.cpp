// SPDX-License-Identifier: Apache-2.0
#include "processes/status.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "processes/process.h"
#include "words/exit_codes.h"

namespace bobbin::cli {
namespace {

bool has_library_of(const Process& process, bool bobbin) {
  return std::any_of(process.libraries.begin(), process.libraries.end(),
                     [&](const auto& entry) { return (entry.second == Vendor::Bobbin) == bobbin; });
}

bool is_served(const Process& process) {
  const bool alone =
      process.preloads_bobbin || process.took_all_names || !has_library_of(process, false);
  return has_library_of(process, true) && alone && !process.has_static_copy;
}

std::string verdict(const Process& process) {
  if (process.has_static_copy) {
    return "It uses the libgomp that is linked into the program: Bobbin cannot replace that one.";
  }
  if (!has_library_of(process, true)) {
    return process.libraries.empty() ? "It has loaded no OpenMP runtime so far."
                                     : "It does not run on Bobbin: start it again by `bobbin run`.";
  }
  if (!has_library_of(process, false)) return "It runs on Bobbin.";
  if (process.preloads_bobbin) {
    return "It runs on Bobbin: the other libraries are mapped, but Bobbin gets their calls.";
  }
  if (process.took_all_names) {
    return "It runs on Bobbin, which it has loaded itself: Bobbin gets the calls of all libraries "
           "that were loaded after that.";
  }
  return "It has loaded Bobbin and another runtime, without `bobbin run`: each may serve a part.";
}

void print_process(const Process& process) {
  std::printf("%d %s, %zu kernel thread%s\n", process.id, process.name.c_str(), process.threads,
              process.threads == 1 ? "" : "s");
  for (const auto& [path, vendor] : process.libraries) {
    std::printf("  %-7s %s\n", vendor_name(vendor), path.c_str());
  }
  for (const std::string& variable : process.variables) {
    std::printf("  started with %s\n", variable.c_str());
  }
  std::printf("  %s\n", verdict(process).c_str());
}

}  // namespace

int print_status(const std::vector<int>& processes) {
  int status = kSuccess;
  for (const int id : processes) {
    const Process process = read_process(id);
    if (!process.problem.empty()) {
      std::fprintf(stderr, "bobbin status: %d: %s\n", id, process.problem.c_str());
      status = std::max(status, process.exists ? kOwnFailure : kProgramMissing);
      continue;
    }
    print_process(process);
    if (!is_served(process)) status = std::max(status, kNotServed);
  }
  return status;
}

}  // namespace bobbin::cli
