// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace bobbin {

// Is it an address in this library? Async-signal-safe.
bool in_own_code(uintptr_t pc);

}  // namespace bobbin
