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
  explicit Splitter(Directive& directive) : directive_(directive), leaves_(directive.row->leaves) {
    Directive part = directive;
    part.clauses.clear();
    directive.parts.assign(leaves_.size(), part);
  }

  void run() {
    for (const Clause& clause : directive_.clauses) split(clause);
  }

 private:
  bool has(Leaf leaf) const {
    return std::find(leaves_.begin(), leaves_.end(), leaf) != leaves_.end();
  }
  void add(size_t leaf, const Clause& clause) { directive_.parts[leaf].clauses.push_back(clause); }

  void split(const Clause& clause) {
    switch (clause.kind()) {
      case ClauseKind::If:
        return split_if(clause);
      case ClauseKind::Firstprivate:
        return split_firstprivate(clause);
      case ClauseKind::Lastprivate:
      case ClauseKind::Linear:
      case ClauseKind::Induction:
        return split_lastprivate(clause);
      case ClauseKind::Reduction:
        return split_reduction(clause);
      default:
        return split_by_rule(clause);
    }
  }

  void split_by_rule(const Clause& clause) {
    std::vector<size_t> permitting;
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      if (permits(leaves_[leaf], clause.kind())) permitting.push_back(leaf);
    }
    const Rule rule = rule_of(clause.kind());
    if (rule == Rule::Innermost) {
      add(permitting.back(), clause);
    } else if (rule == Rule::Outermost) {
      add(permitting.front(), clause);
    } else {
      for (const size_t leaf : permitting) add(leaf, clause);
    }
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

  static std::string_view name_of(Leaf leaf) {
    for (const DirectiveRow& row : directives()) {
      if (row.leaves.size() == 1 && row.leaves[0] == leaf) return row.name;
    }
    return "";
  }

  // parallel, if what is inside of it does it.
  bool takes_firstprivate(Leaf leaf) const {
    if (leaf != Leaf::Parallel) return permits(leaf, ClauseKind::Firstprivate);
    return !has(Leaf::For) && !has(Leaf::Sections) && !has(Leaf::Taskloop);
  }

  void split_firstprivate(const Clause& clause) {
    split_shared(clause, [&](Leaf leaf) { return takes_firstprivate(leaf); });
  }
  void split_lastprivate(const Clause& clause) {
    split_shared(clause, [&](Leaf leaf) { return permits(leaf, clause.kind()); });
  }
  void split_reduction(const Clause& clause) {
    split_shared(clause, [&](Leaf leaf) { return takes_reduction(leaf); });
  }
  bool takes_reduction(Leaf leaf) const {
    if (leaf != Leaf::Parallel) return permits(leaf, ClauseKind::Reduction);
    return !has(Leaf::For) && !has(Leaf::Sections) && !has(Leaf::Taskloop);
  }

  // Constructs that do not take the clause share the variables.
  template <class Takes>
  void split_shared(const Clause& clause, Takes takes) {
    bool applies = false;
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      const bool is_taken = takes(leaves_[leaf]);
      applies = applies || is_taken;
      if (is_taken) {
        add(leaf, clause);
      } else {
        share(leaf, clause);
      }
    }
    if (!applies) {
      throw Refusal{clause.at, "clause '" + std::string(clause.row->name) + "' in '#pragma omp " +
                                   directive_.row->name + "' is not supported by bobbin translate"};
    }
  }

  // The construct's threads share what an inner construct makes its own of.
  void share(size_t leaf, const Clause& clause) {
    if (!permits(leaves_[leaf], ClauseKind::Shared)) return;
    Clause shared;
    shared.row = find_clause("shared");
    shared.at = clause.at;
    shared.items = clause.items;
    add(leaf, shared);
  }

  Directive& directive_;
  const std::vector<Leaf>& leaves_;
};

}  // namespace

void split_clauses(std::vector<Directive>& directives, Diagnostics& diagnostics) {
  for (Directive& directive : directives) {
    if (directive.row->leaves.size() < 2) continue;
    try {
      Splitter(directive).run();
    } catch (const Refusal& refusal) {
      diagnostics.error(refusal);
    }
  }
}

}  // namespace bobbin::translate
