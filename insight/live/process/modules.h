// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "insight/report/symbols/symbols.h"

namespace bobbin::insight {

struct LiveModule {
  std::filesystem::path path;  // by which it can be read here
  uint64_t base = 0;           // where the file's begin is mapped
  bool is_runtime = false;     // libbobbin.so.1
  bool is_c_library = false;   // or the loader
};

// The files that a process has mapped.
class LiveModules {
 public:
  explicit LiveModules(int process);

  // Whose code the address is in; nullptr: in none's.
  const LiveModule* with_code(uint64_t address) const;
  // nullptr: the process has not loaded Bobbin.
  const LiveModule* runtime() const;
  const std::vector<LiveModule>& all() const { return modules_; }
  // Of code, for places_of_calls().
  CodeAddress address_of(uint64_t code) const;

 private:
  struct Code {
    uint64_t begin;
    uint64_t end;
    size_t module;
  };

  std::vector<LiveModule> modules_;
  std::vector<Code> code_;  // by address
};

}  // namespace bobbin::insight
