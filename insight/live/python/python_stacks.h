// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "insight/live/process/memory.h"
#include "insight/live/process/modules.h"
#include "insight/live/python/python_code.h"
#include "insight/live/python/python_layout.h"
#include "insight/report/profiles/python_frame.h"

namespace bobbin::insight {

// Where the threads of a Python program are in it.
class PythonStacks {
 public:
  PythonStacks(const Memory& memory, const LiveModules& modules);
  PythonStacks(const PythonStacks&) = delete;
  PythonStacks& operator=(const PythonStacks&) = delete;

  bool knows_interpreter() const { return layout_.has_value(); }

  // The innermost first; none: the kernel thread executes no Python, in a version that is known, or
  // it has changed its stack meanwhile.
  std::vector<PythonFrame> of(int kernel_thread);

 private:
  uint64_t thread_state_of(const PythonLayout& at, int kernel_thread) const;
  uint64_t innermost_frame_of(const PythonLayout& at, uint64_t thread_state) const;

  const Memory& memory_;
  std::optional<PythonLayout> layout_;
  std::optional<PythonCodes> codes_;
};

}  // namespace bobbin::insight
