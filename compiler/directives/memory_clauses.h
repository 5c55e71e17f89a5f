// SPDX-License-Identifier: Apache-2.0
// Arguments of clauses about memory.
#pragma once

#include "directives/cursor.h"
#include "directives/directive.h"

namespace bobbin::translate {

// allocate([allocator :] list), allocate(allocator(a), align(n) : list). Returns the list.
Cursor::Range read_allocate(const Cursor& cursor, Cursor::Range range, Clause& clause);

}  // namespace bobbin::translate
