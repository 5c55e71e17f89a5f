// SPDX-License-Identifier: Apache-2.0
#include "directives/iterators.h"

#include <optional>
#include <string>

#include "directives/compounds.h"

#include <optional>
#include <utility>
#include <vector>

#include "directives/loop_clauses.h"
#include "lex/diagnostics.h"

namespace bobbin::translate {

void read_iterators(const Cursor& cursor, const Cursor::Range& range, Clause& clause) {
  for (const Cursor::Range& one : cursor.split(range, ",")) {
    const std::vector<Cursor::Range> sides = cursor.split(one, "=");
    const std::optional<size_t> colon =
        sides.size() == 2 ? cursor.find_colon(sides[1]) : std::nullopt;
    if (!colon || sides[0].empty() || !cursor.is_word(sides[0].end - 1)) {
      throw Refusal{cursor.begin_of(one), "expected 'type name = begin : end' in 'iterator'"};
    }
    Iterator made;
    const size_t name = sides[0].end - 1;
    made.type = std::string(cursor.text_of({sides[0].begin, name}));
    if (made.type.empty()) made.type = "int";
    made.name = std::string(cursor.text_at(name));
    made.begin = span_of(cursor, {sides[1].begin, *colon});
    const Cursor::Range rest{*colon + 1, sides[1].end};
    const std::optional<size_t> second = cursor.find_colon(rest);
    made.end = span_of(cursor, {rest.begin, second.value_or(rest.end)});
    if (second) made.step = span_of(cursor, {*second + 1, rest.end});
    clause.iterators.push_back(std::move(made));
  }
}

namespace {

// May the word in front of the colon be something else than a modifier?
bool has_list_in_front(ClauseKind kind) {
  return kind == ClauseKind::Linear || kind == ClauseKind::Aligned;
}
bool has_operator_in_front(ClauseKind kind) {
  return kind == ClauseKind::Reduction || kind == ClauseKind::InReduction ||
         kind == ClauseKind::TaskReduction;
}

}  // namespace

Cursor::Range read_construct(const Cursor& cursor, Cursor::Range range,
                             const DirectiveRow& directive, Clause& clause) {
  const std::optional<size_t> colon = cursor.find_colon(range);
  if (!colon || clause.kind() == ClauseKind::If || has_list_in_front(clause.kind())) return range;
  const std::vector<Cursor::Range> parts = cursor.split({range.begin, *colon}, ",");
  if (parts.empty() || (has_operator_in_front(clause.kind()) && parts.size() == 1)) return range;
  const std::string name = std::string(cursor.text_of(parts.front()));
  const bool is_of_schedule = clause.kind() == ClauseKind::Schedule && name == "simd";
  if (is_of_schedule || !has_part(directive, name)) return range;
  clause.construct = name;
  clause.construct_end = cursor.begin_of({parts.front().end, range.end}) + 1;
  return {parts.front().end + 1, range.end};
}

}  // namespace bobbin::translate
