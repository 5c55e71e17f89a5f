// SPDX-License-Identifier: Apache-2.0
#include "directives/memory_clauses.h"

#include <optional>

#include "directives/loop_clauses.h"
#include "lex/diagnostics.h"

namespace bobbin::translate {

Cursor::Range read_allocate(const Cursor& cursor, Cursor::Range range, Clause& clause) {
  const std::optional<size_t> colon = cursor.find_colon(range);
  if (!colon) return range;
  for (const Cursor::Range& one : cursor.split({range.begin, *colon}, ",")) {
    const std::optional<Cursor::Range> allocator = argument_of(cursor, one, "allocator");
    const std::optional<Cursor::Range> align = argument_of(cursor, one, "align");
    std::optional<Span>& argument = align ? clause.second : clause.expression;
    if (one.empty() || argument) {
      throw Refusal{clause.at, "expected one allocator and one 'align' in 'allocate'"};
    }
    if (allocator || align) clause.modifiers.emplace_back(cursor.text_of(one));
    argument = span_of(cursor, align ? *align : allocator.value_or(one));
  }
  return {*colon + 1, range.end};
}

}  // namespace bobbin::translate
