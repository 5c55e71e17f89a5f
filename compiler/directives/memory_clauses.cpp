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

void read_used_allocators(const Cursor& cursor, Cursor::Range range, const Clause& clause,
                          std::vector<Clause>& clauses) {
  Clause common = clause;
  if (const std::optional<size_t> colon = cursor.find_colon(range)) {
    for (const Cursor::Range& one : cursor.split({range.begin, *colon}, ",")) {
      const std::optional<Cursor::Range> traits = argument_of(cursor, one, "traits");
      const std::optional<Cursor::Range> space = argument_of(cursor, one, "memspace");
      if (!traits && !space) {
        throw Refusal{clause.at, "expected 'traits(array)' or 'memspace(handle)' before ':'"};
      }
      (traits ? common.expression : common.second) = span_of(cursor, traits ? *traits : *space);
      common.modifiers.emplace_back(cursor.text_of(one));
    }
    range.begin = *colon + 1;
  }
  const std::vector<Cursor::Range> allocators = cursor.split(range, ",");
  if (allocators.empty()) throw Refusal{clause.at, "expected a list of allocators"};
  for (const Cursor::Range& one : allocators) {
    const bool is_name = !one.empty() && cursor.is_word(one.begin);
    const std::optional<Cursor::Range> traits =
        is_name ? argument_of(cursor, one, cursor.text_at(one.begin)) : std::nullopt;
    if (!is_name || (traits ? traits->end + 1 : one.begin + 1) != one.end) {
      throw Refusal{clause.at, "expected the name of an allocator, or 'name(traits)'"};
    }
    Clause made = common;
    Item item;
    item.base = span_of(cursor, {one.begin, one.begin + 1});
    item.subscripts = 0;
    made.items.push_back(item);
    if (traits) made.expression = span_of(cursor, *traits);
    clauses.push_back(std::move(made));
  }
}

}  // namespace bobbin::translate
