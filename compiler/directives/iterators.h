// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "directives/cursor.h"
#include "directives/directive.h"

namespace bobbin::translate {

// What is in the parentheses of the modifier iterator: [type] name = begin : end [: step], ...
void read_iterators(const Cursor& cursor, const Cursor::Range& range, Clause& clause);

// The modifier of a clause that names the construct to which it applies (OpenMP 6.0, section 5.4):
// `private(parallel: x)`. The argument without such a modifier. `if` has had it before, and is not
// asked.
Cursor::Range read_construct(const Cursor& cursor, Cursor::Range range,
                             const DirectiveRow& directive, Clause& clause);

}  // namespace bobbin::translate
