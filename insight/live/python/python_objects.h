// SPDX-License-Identifier: Apache-2.0
// Strings of a Python program. What is no such object gives nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "insight/live/process/memory.h"
#include "insight/live/python/python_layout.h"

namespace bobbin::insight {

std::optional<std::string> python_bytes(const Memory& memory, const PythonLayout& layout,
                                        uint64_t object);

// In UTF-8.
std::optional<std::string> python_text(const Memory& memory, const PythonLayout& layout,
                                       uint64_t object);

}  // namespace bobbin::insight
