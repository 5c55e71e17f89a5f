// SPDX-License-Identifier: Apache-2.0
// Arguments of clauses about memory.
#pragma once

#include "directives/cursor.h"
#include "directives/directive.h"

namespace bobbin::translate {

// allocate([allocator :] list), allocate(allocator(a), align(n) : list). Returns the list.
Cursor::Range read_allocate(const Cursor& cursor, Cursor::Range range, Clause& clause);

// uses_allocators(a(traits), ...), uses_allocators(memspace(m), traits(t) : a). Adds a clause for
// each allocator.
void read_used_allocators(const Cursor& cursor, Cursor::Range range, const Clause& clause,
                          std::vector<Clause>& clauses);

}  // namespace bobbin::translate
