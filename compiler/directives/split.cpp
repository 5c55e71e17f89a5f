// SPDX-License-Identifier: Apache-2.0
#include "directives/split.h"

#include <algorithm>
#include <string_view>

#include "directives/compounds.h"

namespace bobbin::translate {
namespace {

// To which of the constructs that permit a clause it applies.
enum class Rule : unsigned char { All, Outermost, Innermost };

Rule rule_of(ClauseKind kind) {
  switch (kind) {
    case ClauseKind::Private:
      return Rule::Innermost;
    case ClauseKind::Nowait:
      return Rule::Outermost;
    default:
      return Rule::All;
  }
}

class Splitter {
 public:
  Splitter(const Source& source, Directive& directive)
      : source_(source), directive_(directive), leaves_(directive.row->leaves) {
    Directive part = directive;
    part.clauses.clear();
    directive.parts.assign(leaves_.size(), part);
  }

  void run() {
    for (const Clause& clause : directive_.clauses) {
      if (clause.kind() != ClauseKind::Allocate) split(clause);
    }
    for (const Clause& clause : directive_.clauses) {
      if (clause.kind() == ClauseKind::Allocate) split_allocate(clause);
    }
  }

 private:
  bool has_scan() const {
    return std::any_of(directive_.clauses.begin(), directive_.clauses.end(), is_inscan);
  }
  bool has(Leaf leaf) const {
    return std::find(leaves_.begin(), leaves_.end(), leaf) != leaves_.end();
  }
  void add(size_t leaf, const Clause& clause) { directive_.parts[leaf].clauses.push_back(clause); }

  // The constructs around the one that the clause names share the variables with it.
  void split_named(const Clause& clause) {
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      if (name_of(leaves_[leaf]) != clause.construct) {
        if (!clause.items.empty()) share(leaf, clause);
        continue;
      }
      if (!permits(leaves_[leaf], clause.kind())) {
        throw Refusal{clause.at, "'" + std::string(clause.row->name) + "' does not belong on '" +
                                     clause.construct + "'"};
      }
      return add(leaf, clause);
    }
  }

  void split(const Clause& clause) {
    if (!clause.construct.empty()) return split_named(clause);
    switch (clause.kind()) {
      case ClauseKind::If:
        return split_if(clause);
      case ClauseKind::Firstprivate:
        return split_firstprivate(clause);
      case ClauseKind::Lastprivate:
        return split_lastprivate(clause);
      case ClauseKind::Reduction:
        return split_reduction(clause);
      case ClauseKind::Linear:
      case ClauseKind::Induction:
        return split_linear(clause);
      default:
        return split_by_rule(clause);
    }
  }

  void split_by_rule(const Clause& clause) {
    std::vector<size_t> permitting;
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      // The threads that execute a scan have no loop for vectors inside of theirs.
      if (has(Leaf::For) && leaves_[leaf] == Leaf::Simd && has_scan()) continue;
      if (permits(leaves_[leaf], clause.kind())) permitting.push_back(leaf);
    }
    if (permitting.empty()) return;
    const Rule rule = rule_of(clause.kind());
    if (rule == Rule::Innermost) {
      add(permitting.back(), clause);
    } else if (rule == Rule::Outermost) {
      add(permitting.front(), clause);
    } else {
      for (const size_t leaf : permitting) add(leaf, clause);
    }
  }

  // To the constructs that make copies.
  void split_allocate(const Clause& clause) {
    for (const Item& item : clause.items) {
      const bool applies = std::any_of(directive_.parts.begin(), directive_.parts.end(),
                                       [&](const Directive& part) { return copies(part, item); });
      if (applies) continue;
      throw Refusal{item.base.begin, "'" + text_of(item) + "' in 'allocate' is not private in '" +
                                         directive_.row->name + "'"};
    }
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      Clause part = clause;
      std::erase_if(part.items,
                    [&](const Item& item) { return !copies(directive_.parts[leaf], item); });
      if (!part.items.empty() && permits(leaves_[leaf], clause.kind())) add(leaf, part);
    }
  }

  bool copies(const Directive& part, const Item& item) const {
    return std::any_of(part.clauses.begin(), part.clauses.end(), [&](const Clause& one) {
      return makes_copies(one.kind()) && lists(one, item);
    });
  }

  // The modifier names one construct.
  void split_if(const Clause& clause) {
    bool applies = false;
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      if (!permits(leaves_[leaf], clause.kind())) continue;
      if (!clause.modifiers.empty() && clause.modifiers.front() != name_of(leaves_[leaf])) continue;
      add(leaf, clause);
      applies = true;
    }
    if (!applies) {
      throw Refusal{clause.at, "'" + std::string(directive_.row->name) +
                                   "' has no construct that the modifier '" +
                                   clause.modifiers.front() + "' of 'if' names"};
    }
  }

  // Constructs that leave firstprivate and reduction to one inside of them.
  bool leaves_firstprivate(Leaf leaf) const {
    if (leaf == Leaf::Teams) return has(Leaf::Distribute);
    return leaf == Leaf::Parallel && (has(Leaf::For) || has(Leaf::Sections) || has(Leaf::Taskloop));
  }
  bool leaves_reduction(Leaf leaf) const {
    return leaf == Leaf::Parallel && (has(Leaf::For) || has(Leaf::Sections) || has(Leaf::Taskloop));
  }

  void split_firstprivate(const Clause& clause) {
    Clause on_target = clause;
    std::erase_if(on_target.items, [&](const Item& item) {
      return is_listed(ClauseKind::Lastprivate, item) || is_listed(ClauseKind::Map, item);
    });
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      if (leaves_[leaf] == Leaf::Target) {
        add(leaf, on_target);
      } else if (permits(leaves_[leaf], clause.kind()) && !leaves_firstprivate(leaves_[leaf])) {
        add(leaf, clause);
      } else {
        share(leaf, clause);
      }
    }
  }

  bool is_listed(ClauseKind kind, const Item& item) const {
    return std::any_of(
        directive_.clauses.begin(), directive_.clauses.end(),
        [&](const Clause& clause) { return clause.kind() == kind && lists(clause, item); });
  }
  bool lists(const Clause& clause, const Item& item) const {
    return std::any_of(clause.items.begin(), clause.items.end(),
                       [&](const Item& one) { return text_of(one) == text_of(item); });
  }
  std::string text_of(const Item& item) const {
    return source_.text().substr(item.base.begin, item.base.end - item.base.begin);
  }

  // With the modifier conditional the construct for vectors leaves the variable as it is.
  void split_lastprivate(const Clause& clause) {
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      if (leaves_[leaf] == Leaf::Simd && is_conditional(clause)) continue;
      if (permits(leaves_[leaf], clause.kind())) {
        add(leaf, clause);
      } else {
        share(leaf, clause);
      }
    }
  }

  void split_reduction(const Clause& clause) {
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      if (permits(leaves_[leaf], clause.kind()) && !leaves_reduction(leaves_[leaf])) {
        add(leaf, clause);
      } else {
        share(leaf, clause);
      }
    }
  }

  // The construct for vectors begins with the value that a chunk's first iteration has.
  void split_linear(const Clause& clause) {
    const bool is_induction = clause.kind() == ClauseKind::Induction;
    if (is_induction && has(Leaf::Teams)) {
      throw Refusal{clause.at,
                    "OpenMP permits 'induction' on 'distribute' for variables that are private to "
                    "the team, so 'teams' needs a directive of its own"};
    }
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      // A task begins with the value that its first iteration has.
      if (permits(leaves_[leaf], clause.kind()) || leaves_[leaf] == Leaf::Taskloop) {
        add(leaf, clause);
      } else if (takes_loops(leaves_[leaf])) {
        throw Refusal{clause.at,
                      "OpenMP permits only the loops' variables in 'linear' on 'distribute'"};
      } else {
        share(leaf, clause);
      }
      if (leaves_[leaf] == Leaf::Simd && !is_induction) {
        add(leaf, with_items("firstprivate", clause));
        add(leaf, with_items("lastprivate", clause));
      }
    }
  }

  static Clause with_items(std::string_view name, const Clause& clause) {
    Clause made;
    made.row = find_clause(name);
    made.at = clause.at;
    made.items = clause.items;
    return made;
  }

  // The construct's threads, or the device, share what an inner construct makes its own of.
  void share(size_t leaf, const Clause& clause) {
    if (leaves_[leaf] == Leaf::Target) add(leaf, with_items("map", clause));
    if (permits(leaves_[leaf], ClauseKind::Shared)) add(leaf, with_items("shared", clause));
  }

  const Source& source_;
  Directive& directive_;
  const std::vector<Leaf>& leaves_;
};

}  // namespace

void split_clauses(const Source& source, std::vector<Directive>& directives,
                   Diagnostics& diagnostics) {
  for (Directive& directive : directives) {
    const std::vector<Leaf>& leaves = directive.row->leaves;
    if (leaves.size() < 2 && leaves.front() != Leaf::Simd) continue;
    try {
      Splitter(source, directive).run();
    } catch (const Refusal& refusal) {
      diagnostics.error(refusal);
    }
  }
}

}  // namespace bobbin::translate
