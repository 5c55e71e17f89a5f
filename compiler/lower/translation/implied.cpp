// SPDX-License-Identifier: Apache-2.0
#include "lower/translation/implied.h"

#include <algorithm>

#include "directives/compounds.h"

namespace bobbin::translate {
namespace {

bool has(const std::vector<Leaf>& leaves, Leaf one) {
  return std::find(leaves.begin(), leaves.end(), one) != leaves.end();
}

class Rules {
 public:
  Rules(const Translation& translation, std::vector<Directive>& directives, size_t number)
      : translation_(translation),
        directives_(directives),
        number_(number),
        directive_(directives[number]),
        site_(translation.site_of(number)) {}

  void apply() {
    if (directive_.row->leaves.empty()) return;
    if (directive_.row->leaves.back() == Leaf::Loop) directive_.row = &meaning_of_loop();
    if (directive_.row->leaves.back() == Leaf::Simd && site_ != nullptr) keep_last_values();
  }

 private:
  // Section 11.6: what binds to the teams may be executed by all threads of each, because the order
  // of the iterations is not specified, and neither is who executes them.
  const DirectiveRow& meaning_of_loop() const {
    const Clause* clause = directive_.find(ClauseKind::Bind);
    const std::string binding = clause != nullptr ? clause->word : binding_by_place();
    std::string name = directive_.row->name;
    name.resize(name.size() - std::string("loop").size());
    if (binding == "teams") {
      name += "distribute parallel for simd";
    } else if (binding == "parallel") {
      name += "for simd";
    } else {
      name += "simd";
    }
    for (const DirectiveRow& row : directives()) {
      if (row.name == name) return row;
    }
    throw Refusal{directive_.begin, "'bind(" + binding + ")' of '#pragma omp " +
                                        directive_.row->name +
                                        "' is not supported by bobbin translate"};
  }

  // That of the innermost construct around it that can be bound to.
  std::string binding_by_place() const {
    if (has(directive_.row->leaves, Leaf::Parallel)) return "parallel";
    if (has(directive_.row->leaves, Leaf::Teams)) return "teams";
    for (size_t i = number_; i-- > 0;) {
      const Site* site = translation_.site_of(i);
      if (site == nullptr || directive_.probe_begin >= site->statement.end) continue;
      const std::vector<Leaf>& leaves = directives_[i].row->leaves;
      if (has(leaves, Leaf::Parallel)) return "parallel";
      if (has(leaves, Leaf::Teams)) return "teams";
    }
    throw Refusal{directive_.begin,
                  "'loop' needs a 'bind' clause where no 'parallel' or 'teams' is around it"};
  }

  // Section 5.1.1 and, for compound directives, section 17.2: a loop variable that is declared
  // before the loop gets its last value. `linear` says of it what is so without it.
  void keep_last_values() {
    std::vector<Clause> implied;
    for (size_t i = 0; i < directive_.collapse && i < site_->loops.size(); ++i) {
      const Loop& loop = site_->loops[i];
      remove_from_linear(*loop.variable);
      if (loop.declares || is_listed(*loop.variable)) continue;
      Clause clause;
      clause.row = find_clause("lastprivate");
      clause.at = directive_.begin;
      clause.items.push_back(item_of(*loop.variable));
      implied.push_back(std::move(clause));
    }
    directive_.clauses.insert(directive_.clauses.end(), implied.begin(), implied.end());
    std::erase_if(directive_.clauses, [](const Clause& clause) {
      return clause.kind() == ClauseKind::Linear && clause.items.empty();
    });
  }

  bool is(const Item& item, const Variable& variable) const {
    return translation_.variable_at(item.base) == &variable;
  }

  void remove_from_linear(const Variable& variable) {
    for (Clause& clause : directive_.clauses) {
      if (clause.kind() != ClauseKind::Linear) continue;
      std::erase_if(clause.items, [&](const Item& item) { return is(item, variable); });
    }
  }

  bool is_listed(const Variable& variable) const {
    return std::any_of(
        directive_.clauses.begin(), directive_.clauses.end(), [&](const Clause& clause) {
          const bool lists =
              clause.kind() == ClauseKind::Private || clause.kind() == ClauseKind::Lastprivate;
          return lists && std::any_of(clause.items.begin(), clause.items.end(),
                                      [&](const Item& item) { return is(item, variable); });
        });
  }

  // As if it were named in a clause.
  Item item_of(const Variable& variable) const {
    Item item;
    for (const Reference* one : translation_.references_in(site_->statement)) {
      if (one->variable != &variable) continue;
      item.base = {directive_.begin, directive_.begin, one->begin, one->end};
      break;
    }
    return item;
  }

  const Translation& translation_;
  const std::vector<Directive>& directives_;
  size_t number_;
  Directive& directive_;
  const Site* site_;
};

}  // namespace

void apply_rules(const Translation& translation, std::vector<Directive>& directives,
                 Diagnostics& diagnostics) {
  for (size_t number = 0; number < directives.size(); ++number) {
    try {
      Rules(translation, directives, number).apply();
    } catch (const Refusal& refusal) {
      diagnostics.error(refusal);
    }
  }
}

}  // namespace bobbin::translate
