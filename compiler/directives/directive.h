// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "directives/table.h"

namespace bobbin::translate {

// A part of the preprocessed text, and where the probe (sema/probe.h) has it.
struct Span {
  size_t begin = 0;
  size_t end = 0;
  size_t probe_begin = 0;
  size_t probe_end = 0;
};

// One item of a list: `a`, or `a[lower:length]...`, or an element or a structure's member.
struct Item {
  struct Section {
    std::optional<Span> lower;
    std::optional<Span> length;  // nothing, without a colon: a subscript
    bool has_colon = false;
  };

  Span base;
  // How many subscripts follow the name in `base`; nothing: it is another expression.
  std::optional<size_t> subscripts;
  std::vector<Section> sections;  // from the first one with a colon on
};

// iterator(type name = begin : end : step), a modifier of depend and affinity.
struct Iterator {
  std::string type;
  std::string name;
  Span begin;
  Span end;
  std::optional<Span> step;
};

struct Clause {
  const ClauseRow* row = nullptr;
  size_t at = 0;
  size_t end = 0;
  std::vector<std::string> modifiers;  // also the operator of a reduction and the kind of depend
  std::vector<Iterator> iterators;
  std::string word;
  std::string construct;           // the part of a compound directive to which it applies alone
  size_t construct_end = 0;        // behind the modifier that names it
  std::optional<Span> expression;  // of allocate: the allocator; of uses_allocators: traits
  std::optional<Span> second;      // of allocate: align; of uses_allocators: the memory space
  std::vector<Item> items;

  ClauseKind kind() const { return row->kind; }
};

// reduction(inscan, ...)
inline bool is_inscan(const Clause& clause) {
  return clause.kind() == ClauseKind::Reduction && !clause.modifiers.empty() &&
         clause.modifiers.front() == "inscan";
}

// lastprivate(conditional: ...)
inline bool is_conditional(const Clause& clause) {
  return clause.kind() == ClauseKind::Lastprivate && !clause.modifiers.empty();
}

struct Directive {
  const DirectiveRow* row = nullptr;
  size_t begin = 0;  // of the pragma's line
  size_t end = 0;    // without the line's end
  size_t name_end = 0;
  std::string text;  // from `#pragma` on
  std::vector<Clause> clauses;
  // How many loops it is associated with, if any; and by ordered(n). The arguments of clauses count
  // once Clang has evaluated them (sema/depths.h).
  size_t collapse = 1;
  size_t ordered = 0;
  std::string name;         // critical(name), declare reduction(name : ...), declare induction
  std::vector<Item> items;  // flush(list), threadprivate(list)

  // declare reduction, declare induction. The types of the latter are pairs: the variable's and the
  // step's.
  std::vector<Span> types;
  Span combiner;
  std::optional<Span> initializer;
  Span inductor;
  Span collector;

  // Of a compound directive: each construct with those clauses that apply to it (split.h).
  std::vector<Directive> parts;

  // What replaces the pragma in the probe.
  size_t probe_begin = 0;
  size_t probe_end = 0;

  const Clause* find(ClauseKind kind) const {
    for (const Clause& one : clauses) {
      if (one.kind() == kind) return &one;
    }
    return nullptr;
  }
  bool has(ClauseKind kind) const { return find(kind) != nullptr; }
  // That construct alone, not one of a compound.
  bool is(Leaf leaf) const { return row->leaves.size() == 1 && row->leaves.front() == leaf; }
};

}  // namespace bobbin::translate
