// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

#include "insight/live/process/memory.h"
#include "insight/live/process/modules.h"

namespace bobbin::insight {

class Unreadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The process has a library that this command does not know how to read.
class OtherVersion : public Unreadable {
 public:
  using Unreadable::Unreadable;
};

// The loader is still at work in the process: it can be read in a moment.
class StillLoading : public Unreadable {
 public:
  StillLoading() : Unreadable("it is starting: its libraries are not loaded yet") {}
};

// The table by which the runtime describes its data: runtime/abi/native/debugger_view.cpp.
class Layout {
 public:
  // Throws Unreadable.
  Layout(const Memory& memory, const LiveModule& runtime);

  // Throws OtherVersion if there is no such name.
  uint64_t operator[](const std::string& name) const;

 private:
  std::map<std::string, uint64_t> values_;
};

}  // namespace bobbin::insight
