// SPDX-License-Identifier: Apache-2.0
// The name of a directive: one or more words, of which the table knows the longest.
#pragma once

#include <string>

#include "directives/cursor.h"
#include "directives/table.h"

namespace bobbin::translate {

struct DirectiveName {
  const DirectiveRow* row = nullptr;  // null: no directive is called so
  size_t words = 0;
  std::string text;  // what has been read
};

// The longest name in the table that stands at the cursor.
DirectiveName find_directive(const Cursor& cursor);

bool is_openmp(const Source& source, const Token& hash_line);

}  // namespace bobbin::translate
