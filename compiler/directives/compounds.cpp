// SPDX-License-Identifier: Apache-2.0
#include "directives/compounds.h"

#include <algorithm>

namespace bobbin::translate {
namespace {

bool has(const std::vector<Leaf>& leaves, Leaf one) {
  return std::find(leaves.begin(), leaves.end(), one) != leaves.end();
}

// May a directive that consists of `leaves` go on with `next`?
bool can_follow(const std::vector<Leaf>& leaves, Leaf next) {
  switch (leaves.back()) {
    case Leaf::Target:
      return next == Leaf::Parallel || next == Leaf::Teams || next == Leaf::Simd;
    case Leaf::Teams:
      return next == Leaf::Distribute || next == Leaf::Loop;
    case Leaf::Distribute:
      return next == Leaf::Parallel || next == Leaf::Simd;
    case Leaf::Parallel:
      if (next == Leaf::For) return true;
      if (next == Leaf::Loop) return !has(leaves, Leaf::Distribute);
      return leaves.size() == 1 && (next == Leaf::Sections || next == Leaf::Masked);
    case Leaf::Masked:
      return next == Leaf::Taskloop;
    case Leaf::For:
    case Leaf::Taskloop:
      return next == Leaf::Simd;
    default:
      return false;
  }
}

// `distribute parallel` is no directive, only its continuations are.
bool is_complete(const DirectiveRow& row) {
  return row.leaves.size() < 2 || row.leaves.back() != Leaf::Parallel ||
         !has(row.leaves, Leaf::Distribute);
}

std::vector<DirectiveRow> make_directives() {
  std::vector<DirectiveRow> table = listed_directives();
  const std::vector<DirectiveRow> simple = table;
  // The table grows by directives that may be continued themselves.
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i].leaves.empty()) continue;
    for (const DirectiveRow& next : simple) {
      if (next.leaves.size() != 1 || !can_follow(table[i].leaves, next.leaves[0])) continue;
      DirectiveRow made = table[i];
      made.name += " " + next.name;
      made.since = std::max(made.since, next.since);
      made.leaves.push_back(next.leaves[0]);
      made.clauses.insert(made.clauses.end(), next.clauses.begin(), next.clauses.end());
      table.push_back(std::move(made));
    }
  }
  std::erase_if(table, [](const DirectiveRow& row) { return !is_complete(row); });
  return table;
}

}  // namespace

const std::vector<DirectiveRow>& directives() {
  static const std::vector<DirectiveRow> table = make_directives();
  return table;
}

std::string_view name_of(Leaf leaf) {
  for (const DirectiveRow& row : directives()) {
    if (row.leaves.size() == 1 && row.leaves[0] == leaf) return row.name;
  }
  return "";
}

bool has_part(const DirectiveRow& directive, std::string_view name) {
  return std::any_of(directive.leaves.begin(), directive.leaves.end(),
                     [&](Leaf leaf) { return name_of(leaf) == name; });
}

bool permits(Leaf leaf, ClauseKind kind) {
  const std::vector<DirectiveRow>& rows = directives();
  return std::any_of(rows.begin(), rows.end(), [&](const DirectiveRow& row) {
    return row.leaves.size() == 1 && row.leaves[0] == leaf &&
           std::find(row.clauses.begin(), row.clauses.end(), kind) != row.clauses.end();
  });
}

}  // namespace bobbin::translate
