// SPDX-License-Identifier: Apache-2.0
#include "directives/loop_clauses.h"

#include <optional>
#include <string_view>

#include "lex/diagnostics.h"

namespace bobbin::translate {
std::optional<Cursor::Range> argument_of(const Cursor& cursor, const Cursor::Range& range,
                                         std::string_view name) {
  const bool is_call = range.begin + 1 < range.end && cursor.text_at(range.begin) == name &&
                       cursor.text_at(range.begin + 1) == "(";
  if (!is_call) return std::nullopt;
  return Cursor::Range{range.begin + 2, cursor.matching(range.begin + 1, range.end)};
}

Span span_of(const Cursor& cursor, const Cursor::Range& range) {
  if (range.empty()) throw Refusal{cursor.begin_of(range), "expected expression"};
  return {cursor.begin_of(range), cursor.end_of(range), 0, 0};
}

Cursor::Range read_doacross(const Cursor& cursor, Cursor::Range range, Clause& clause) {
  const std::optional<size_t> colon = cursor.find_colon(range);
  const Cursor::Range kind{range.begin, colon.value_or(range.end)};
  const Cursor::Range rest{colon ? *colon + 1 : range.end, range.end};
  const Cursor::Range none{range.end, range.end};
  clause.modifiers.emplace_back(cursor.text_of(kind));
  if (clause.modifiers.front() == "sink") {
    if (rest.empty()) throw Refusal{clause.at, "expected a vector after 'sink:'"};
    if (cursor.text_at(rest.begin) != "omp_cur_iteration") return rest;
    for (size_t i = rest.begin; i < rest.end; ++i) clause.word += cursor.text_at(i);
    if (clause.word == "omp_cur_iteration-1") return none;
  } else if (clause.modifiers.front() == "source") {
    if (rest.empty() || cursor.text_of(rest) == "omp_cur_iteration") return none;
  }
  throw Refusal{clause.at, "expected 'source' or 'sink: vector'"};
}

Cursor::Range read_linear(const Cursor& cursor, Cursor::Range range, Clause& clause) {
  if (const std::optional<size_t> colon = cursor.find_colon(range)) {
    for (const Cursor::Range& one : cursor.split({*colon + 1, range.end}, ",")) {
      if (const std::optional<Cursor::Range> step = argument_of(cursor, one, "step")) {
        clause.expression = span_of(cursor, *step);
      } else if (cursor.text_of(one) != "val") {
        clause.expression = span_of(cursor, one);
      }
    }
    range.end = *colon;
  }
  if (const std::optional<Cursor::Range> list = argument_of(cursor, range, "val")) {
    clause.word = "val";
    return *list;
  }
  return range;
}

Cursor::Range read_induction(const Cursor& cursor, Cursor::Range range, Clause& clause) {
  const std::optional<size_t> colon = cursor.find_colon(range);
  if (!colon) throw Refusal{clause.at, "expected 'step(expression), operator: list'"};
  for (const Cursor::Range& one : cursor.split({range.begin, *colon}, ",")) {
    const std::string_view text = cursor.text_of(one);
    if (const std::optional<Cursor::Range> step = argument_of(cursor, one, "step")) {
      clause.expression = span_of(cursor, *step);
    } else if (text == "strict") {
      clause.modifiers.emplace_back(text);
    } else if (text != "relaxed") {
      if (!clause.word.empty()) {
        throw Refusal{clause.at, "'" + std::string(text) + "' is a second operator in 'induction'"};
      }
      clause.word = text;
    }
  }
  if (clause.word.empty() || !clause.expression) {
    throw Refusal{clause.at, "'induction' needs an operator and step(expression)"};
  }
  return {*colon + 1, range.end};
}

void read_declared_induction(const Cursor& cursor, const Cursor::Range& range,
                             Directive& directive) {
  const std::optional<size_t> colon = cursor.find_colon(range);
  if (!colon || *colon == range.begin || *colon + 1 == range.end) {
    throw Refusal{cursor.begin_of(range), "expected 'name : types' in 'declare induction'"};
  }
  const std::vector<Cursor::Range> types = cursor.split({*colon + 1, range.end}, ",");
  directive.name = std::string(cursor.text_of({range.begin, *colon}));
  for (const Cursor::Range& one : types) {
    std::vector<Cursor::Range> pair = {one, one};
    if (cursor.text_at(one.begin) == "(") {
      pair = cursor.split({one.begin + 1, cursor.matching(one.begin, one.end)}, ",");
    }
    if (pair.size() != 2) throw Refusal{cursor.begin_of(one), "expected a type or '(type, type)'"};
    for (const Cursor::Range& type : pair) directive.types.push_back(span_of(cursor, type));
  }
}

void check_declared_induction(const Directive& directive) {
  if (directive.row->leaves.front() != Leaf::DeclareInduction) return;
  if (!directive.has(ClauseKind::Inductor) || !directive.has(ClauseKind::Collector)) {
    throw Refusal{directive.begin, "'declare induction' needs 'inductor' and 'collector'"};
  }
}

void check_conditional(const Clause& clause, const Directive& directive) {
  if (!is_conditional(clause)) return;
  for (const Leaf leaf : directive.row->leaves) {
    if (leaf != Leaf::Distribute && leaf != Leaf::Taskloop) continue;
    throw Refusal{clause.at, "OpenMP does not permit 'lastprivate(conditional:)' on '" +
                                 std::string(leaf == Leaf::Distribute ? "distribute" : "taskloop") +
                                 "'"};
  }
}

}  // namespace bobbin::translate
