// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <setjmp.h>

namespace bobbin {

// The stack pointer that a longjmp() to `buffer` loads; nullptr: unknown. Async-signal-safe.
const char* jump_target(const __jmp_buf_tag& buffer);

}  // namespace bobbin
