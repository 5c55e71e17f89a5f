// SPDX-License-Identifier: Apache-2.0
// Which entry point of the runtime a thread's code has called, from its stack.
//
// A stack has many words that look like return addresses, because frames do not overwrite all that
// earlier ones have left. So a word counts only if the instruction before it calls the runtime.
#pragma once

#include <cstdint>
#include <vector>

#include "insight/live/process/memory.h"
#include "insight/live/process/modules.h"

namespace bobbin::insight {

struct RuntimeCall {
  uint64_t returns_to = 0;
  uint64_t entry = 0;
};

class Calls {
 public:
  Calls(const Memory& memory, const LiveModules& modules) : memory_(memory), modules_(modules) {}

  // The newest first. Those by a register or a jump are not seen, and some may have returned.
  std::vector<RuntimeCall> of_runtime(uint64_t sp) const;

  // Does a thread that is in the C library execute it for the runtime?
  bool is_for_runtime(uint64_t sp) const;

  // The addresses of code to which calls may return that the program has made since the runtime
  // called it, the newest first.
  std::vector<uint64_t> of_program(uint64_t sp) const;

 private:
  // The code to which the instruction before the address calls; 0: it is no call, or it is not
  // known where to.
  uint64_t called_before(uint64_t address) const;
  bool follows_call(uint64_t address) const;
  uint64_t through_table(uint64_t stub) const;

  const Memory& memory_;
  const LiveModules& modules_;
};

}  // namespace bobbin::insight
