// SPDX-License-Identifier: Apache-2.0
#include "directives/parser.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "directives/compounds.h"
#include "directives/cursor.h"
#include "directives/iterators.h"
#include "directives/loop_clauses.h"
#include "directives/memory_clauses.h"
#include "directives/name.h"
#include "directives/suggestion.h"
#include "directives/system_headers.h"

namespace bobbin::translate {
namespace {

bool needs_argument(ClauseKind kind) {
  return kind != ClauseKind::Ordered && kind != ClauseKind::Partial &&
         kind != ClauseKind::Destroy && kind != ClauseKind::GraphReset &&
         kind != ClauseKind::Nowait && kind != ClauseKind::Safesync &&
         kind != ClauseKind::Replayable && kind != ClauseKind::Transparent &&
         kind != ClauseKind::Indirect;
}

// The constants of omp_impex_t, which older headers do not have.
bool is_impex(std::string_view text) {
  return text == "omp_not_impex" || text == "omp_import" || text == "omp_export" ||
         text == "omp_impex";
}

bool can_have_modifiers(ClauseKind kind) {
  switch (kind) {
    case ClauseKind::If:
    case ClauseKind::Firstprivate:
    case ClauseKind::Lastprivate:
    case ClauseKind::Reduction:
    case ClauseKind::InReduction:
    case ClauseKind::TaskReduction:
    case ClauseKind::Depend:
    case ClauseKind::Affinity:
    case ClauseKind::Grainsize:
    case ClauseKind::NumTasks:
    case ClauseKind::NumThreads:
    case ClauseKind::TaskSchedule:
    case ClauseKind::Order:
    case ClauseKind::NumTeams:
    case ClauseKind::Device:
    case ClauseKind::Init:
    case ClauseKind::Map:
    case ClauseKind::To:
    case ClauseKind::From:
      return true;
    default:
      return false;
  }
}

class Parser {
 public:
  Parser(const Source& source, const Token& pragma)
      : source_(source), cursor_(source, pragma), directive_{} {
    directive_.begin = pragma.begin;
    directive_.end = pragma.end;
    directive_.text = std::string(source(pragma));
  }

  Directive run() {
    cursor_.skip(2);  // pragma omp, after the #
    read_name();
    if (directive_.row->leaves.front() == Leaf::Interchange) directive_.collapse = 2;
    read_argument();
    while (!cursor_.at_end()) {
      if (cursor_.is(",")) cursor_.next();
      read_clause();
    }
    if (directive_.row->leaves.front() == Leaf::Ordered &&
        (directive_.has(ClauseKind::Depend) || directive_.has(ClauseKind::Doacross))) {
      directive_.row = &doacross_directive();
    }
    if (directive_.row->leaves.front() == Leaf::Error) {
      const Clause* at = directive_.find(ClauseKind::At);
      if (at == nullptr || at->word == "compilation") {
        directive_.row = &compilation_error_directive();
      }
    }
    check_declared_induction(directive_);
    return std::move(directive_);
  }

 private:
  [[noreturn]] void refuse_directive(size_t at, const std::string& name,
                                     std::string_view since) const {
    throw Refusal{at, "'#pragma omp " + name + "' (OpenMP " + std::string(since) +
                          ") is not supported by bobbin translate"};
  }

  void read_name() {
    const size_t at = cursor_.offset();
    const DirectiveName name = find_directive(cursor_);
    if (name.row == nullptr) {
      throw Refusal{at, name.text.empty() ? "expected an OpenMP directive"
                                          : "unknown OpenMP directive '" + name.text + "'" +
                                                did_you_mean_directive(name.text)};
    }
    if (name.row->leaves.empty())
      refuse_directive(at, std::string(name.row->name), name.row->since);
    directive_.row = name.row;
    cursor_.skip(name.words);
    directive_.name_end = cursor_.previous_end();
  }

  void read_argument() {
    const Leaf leaf = directive_.row->leaves.front();
    if (!cursor_.is("(")) {
      if (leaf == Leaf::Threadprivate || leaf == Leaf::DeclareReduction ||
          leaf == Leaf::DeclareInduction || leaf == Leaf::Depobj || leaf == Leaf::DeclareVariant ||
          leaf == Leaf::Allocate) {
        cursor_.expect("(");
      }
      return;
    }
    if (leaf == Leaf::Critical) {
      cursor_.next();
      directive_.name = cursor_.take_word("the name of the critical section");
      cursor_.expect(")");
    } else if (leaf == Leaf::DeclareVariant) {
      directive_.name = std::string(cursor_.text_of(cursor_.take_parentheses()));
    } else if (leaf == Leaf::DeclareMapper) {
      cursor_.take_parentheses();
    } else if (leaf == Leaf::Threadprivate || leaf == Leaf::Flush || leaf == Leaf::DeclareTarget ||
               leaf == Leaf::Depobj || leaf == Leaf::Allocate) {
      const Cursor::Range range = cursor_.take_parentheses();
      directive_.items = read_items(range);
    } else if (leaf == Leaf::DeclareReduction) {
      read_declared_reduction(cursor_.take_parentheses());
    } else if (leaf == Leaf::DeclareInduction) {
      read_declared_induction(cursor_, cursor_.take_parentheses(), directive_);
    }
  }

  // name : types : combiner
  void read_declared_reduction(const Cursor::Range& range) {
    const std::optional<size_t> first = cursor_.find_colon(range);
    const std::optional<size_t> second =
        first ? cursor_.find_colon({*first + 1, range.end}) : std::nullopt;
    if (!second || *first == range.begin) {
      throw Refusal{cursor_.begin_of(range),
                    "expected 'name : types : combiner' in 'declare reduction'"};
    }
    directive_.name = std::string(cursor_.text_of({range.begin, *first}));
    for (const Cursor::Range& type : cursor_.split({*first + 1, *second}, ",")) {
      directive_.types.push_back(span_of(type));
    }
    directive_.combiner = span_of({*second + 1, range.end});
  }

  Span span_of(const Cursor::Range& range) const { return translate::span_of(cursor_, range); }

  void read_clause() {
    Clause clause;
    clause.at = cursor_.offset();
    const std::string name = cursor_.take_word("the name of a clause");
    clause.row = find_clause(name);
    const std::string where = "'#pragma omp " + std::string(directive_.row->name) + "'";
    if (clause.row == nullptr) {
      throw Refusal{clause.at, "unknown clause '" + name + "' in " + where +
                                   did_you_mean_clause(name, *directive_.row)};
    }
    const std::vector<ClauseKind>& taken = directive_.row->clauses;
    if (std::find(taken.begin(), taken.end(), clause.kind()) == taken.end()) {
      if (is_misplaced(*clause.row, *directive_.row)) {
        throw Refusal{clause.at,
                      "'" + name + "' does not belong on '" + directive_.row->name + "'"};
      }
      throw Refusal{clause.at, "clause '" + name + "' (OpenMP " + std::string(clause.row->since) +
                                   ") in " + where + " is not supported by bobbin translate"};
    }
    if (clause.kind() == ClauseKind::UsesAllocators) {
      const Cursor::Range range = cursor_.take_parentheses();
      clause.end = cursor_.previous_end();
      read_used_allocators(cursor_, range, clause, directive_.clauses);
      return;
    }
    read_clause_argument(clause);
    clause.end = cursor_.previous_end();
    check_conditional(clause, directive_);
    directive_.clauses.push_back(std::move(clause));
  }

  void read_clause_argument(Clause& clause) {
    if (clause.kind() == ClauseKind::Update && directive_.row->leaves.front() == Leaf::Depobj) {
      clause.word = std::string(cursor_.text_of(cursor_.take_parentheses()));
      return;
    }
    if (clause.row->form == ClauseForm::None) return;
    if (!needs_argument(clause.kind()) && !cursor_.is("(")) return;
    Cursor::Range range = cursor_.take_parentheses();
    range = read_construct(cursor_, range, *directive_.row, clause);
    switch (clause.row->form) {
      case ClauseForm::Word:
        clause.word = std::string(cursor_.text_of(range));
        break;
      case ClauseForm::Expression:
        take_modifiers(clause, range);
        if (clause.kind() == ClauseKind::Transparent && is_impex(cursor_.text_of(range))) {
          clause.word = std::string(cursor_.text_of(range));
          break;
        }
        clause.expression = span_of(range);
        break;
      case ClauseForm::List:
        if (is_doacross(clause)) range = read_doacross(cursor_, range, clause);
        if (clause.kind() == ClauseKind::Linear) range = read_linear(cursor_, range, clause);
        if (clause.kind() == ClauseKind::Induction) range = read_induction(cursor_, range, clause);
        if (clause.kind() == ClauseKind::Allocate) range = read_allocate(cursor_, range, clause);
        if (is_doacross(clause) && range.empty()) return;
        take_modifiers(clause, range);
        clause.items = read_items(range);
        if (clause.kind() == ClauseKind::Sizes || clause.kind() == ClauseKind::Permutation) {
          directive_.collapse = clause.items.size();
        }
        break;
      case ClauseForm::Schedule:
        read_schedule(clause, range);
        break;
      case ClauseForm::ListThen:
        read_list_then(clause, range);
        break;
      case ClauseForm::Text:
        clause.word = std::string(cursor_.text_of(range));
        break;
      default:
        expression_of(clause) = span_of(range);
    }
    if (directive_.row->leaves.front() == Leaf::DeclareTarget) {
      for (const Item& item : clause.items) directive_.items.push_back(item);
    }
  }

  Span& expression_of(const Clause& clause) {
    if (clause.kind() == ClauseKind::Inductor) return directive_.inductor;
    if (clause.kind() == ClauseKind::Collector) return directive_.collector;
    return directive_.initializer.emplace();
  }

  // `a, b : 2`
  void read_list_then(Clause& clause, Cursor::Range range) {
    const std::optional<size_t> colon = cursor_.find_colon(range);
    clause.items = read_items({range.begin, colon.value_or(range.end)});
    if (colon) clause.expression = span_of({*colon + 1, range.end});
  }

  bool is_doacross(const Clause& clause) const {
    return clause.kind() == ClauseKind::Doacross ||
           (clause.kind() == ClauseKind::Depend && directive_.row->leaves.front() == Leaf::Ordered);
  }

  // Up to the first colon outside of brackets and conditional expressions.
  void take_modifiers(Clause& clause, Cursor::Range& range) {
    if (!can_have_modifiers(clause.kind())) return;
    const std::optional<size_t> colon = cursor_.find_colon(range);
    if (!colon) return;
    for (const Cursor::Range& one : cursor_.split({range.begin, *colon}, ",")) {
      const bool has_iterators = one.end - one.begin > 2 &&
                                 cursor_.text_at(one.begin) == "iterator" &&
                                 cursor_.text_at(one.begin + 1) == "(";
      if (has_iterators) {
        read_iterators(cursor_, {one.begin + 2, one.end - 1}, clause);
      } else {
        clause.modifiers.emplace_back(cursor_.text_of(one));
      }
    }
    range.begin = *colon + 1;
    for (const std::string& one : clause.modifiers) {
      if (clause.kind() == ClauseKind::Firstprivate && one != "saved") {
        throw Refusal{clause.at, "expected 'saved', the only modifier of 'firstprivate'"};
      }
    }
  }

  // [modifiers :] kind [, chunk]
  void read_schedule(Clause& clause, Cursor::Range range) {
    const std::optional<size_t> colon = cursor_.find_colon(range);
    if (colon) {
      for (const Cursor::Range& one : cursor_.split({range.begin, *colon}, ",")) {
        clause.modifiers.emplace_back(cursor_.text_of(one));
      }
      range.begin = *colon + 1;
    }
    const std::vector<Cursor::Range> parts = cursor_.split(range, ",");
    if (parts.empty()) throw Refusal{clause.at, "expected a kind of schedule"};
    clause.word = std::string(cursor_.text_of(parts[0]));
    if (parts.size() > 1) {
      clause.expression = span_of({parts[1].begin, range.end});
    }
  }

  std::vector<Item> read_items(const Cursor::Range& range) {
    std::vector<Item> items;
    for (const Cursor::Range& one : cursor_.split(range, ",")) items.push_back(read_item(one));
    if (items.empty()) throw Refusal{cursor_.begin_of(range), "expected a list of variables"};
    return items;
  }

  Item read_item(const Cursor::Range& range) {
    Item item;
    size_t at = range.begin;
    if (cursor_.is_word(at)) item.subscripts = 0;
    // The base ends before the first bracket with a colon.
    while (at < range.end) {
      if (cursor_.text_at(at) == "[") {
        const size_t close = cursor_.matching(at, range.end);
        if (cursor_.find_colon({at + 1, close})) break;
        at = close + 1;
        if (item.subscripts) ++*item.subscripts;
        continue;
      }
      if (at != range.begin) item.subscripts.reset();
      at = cursor_.text_at(at) == "(" ? cursor_.matching(at, range.end) + 1 : at + 1;
    }
    item.base = span_of({range.begin, at});
    while (at < range.end) {
      if (cursor_.text_at(at) != "[") {
        throw Refusal{cursor_.begin_of({at, range.end}), "expected '[' or the end of the item"};
      }
      const size_t close = cursor_.matching(at, range.end);
      item.sections.push_back(read_section({at + 1, close}));
      at = close + 1;
    }
    return item;
  }

  Item::Section read_section(const Cursor::Range& range) {
    Item::Section section;
    const std::optional<size_t> colon = cursor_.find_colon(range);
    section.has_colon = colon.has_value();
    const Cursor::Range lower{range.begin, colon.value_or(range.end)};
    if (!lower.empty()) section.lower = span_of(lower);
    if (colon && *colon + 1 < range.end) {
      // A stride is only possible in clauses of target update, for which all data is in place.
      Cursor::Range length{*colon + 1, range.end};
      length.end = cursor_.find_colon(length).value_or(range.end);
      if (!length.empty()) section.length = span_of(length);
    }
    return section;
  }

  const Source& source_;
  Cursor cursor_;
  Directive directive_;
};

}  // namespace

std::vector<Directive> read_directives(const Source& source, Diagnostics& diagnostics) {
  std::vector<Directive> found;
  SystemHeaders system_headers(source);
  size_t depth = 0;  // of braces: functions are not nested in others
  for (const Token& token : source.tokens()) {
    try {
      if (token.kind == TokenKind::Identifier && source(token) == "_Pragma") {
        throw Refusal{token.begin, "_Pragma that the preprocessor has left is not supported"};
      }
      if (source(token) == "{") ++depth;
      if (source(token) == "}" && depth > 0) --depth;
      if (token.kind != TokenKind::HashLine || !is_openmp(source, token)) continue;
      if (source.in_system_header(token.begin)) {
        system_headers.read(token, found);
      } else {
        found.push_back(Parser(source, token).run());
        if (depth == 0 && found.back().row->leaves.front() == Leaf::Allocate) {
          found.back().row = &static_allocate_directive();
        }
      }
    } catch (const Refusal& refusal) {
      diagnostics.error(refusal);
    }
  }
  return found;
}

}  // namespace bobbin::translate
