// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "directives/cursor.h"
#include "directives/directive.h"

namespace bobbin::translate {

// What is in the parentheses of the modifier iterator: [type] name = begin : end [: step], ...
void read_iterators(const Cursor& cursor, const Cursor::Range& range, Clause& clause);

}  // namespace bobbin::translate
