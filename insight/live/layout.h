// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

#include "insight/live/memory.h"
#include "insight/live/modules.h"

namespace bobbin::insight {

// The process has a library that this command does not know how to read.
class OtherVersion : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The table by which the runtime describes its data: runtime/abi/native/debugger_view.cpp.
class Layout {
 public:
  // Throws OtherVersion.
  Layout(const Memory& memory, const LiveModule& runtime);

  // Throws OtherVersion if there is no such name.
  uint64_t operator[](const std::string& name) const;

 private:
  std::map<std::string, uint64_t> values_;
};

}  // namespace bobbin::insight
