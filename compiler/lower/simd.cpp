// SPDX-License-Identifier: Apache-2.0
// simd and its parts of composite directives. The loop is written in its canonical form again, and
// the native compiler, which knows its processor, vectorizes it. It needs -fopenmp-simd.
#include <algorithm>

#include "lower/conditional.h"
#include "lower/constructs.h"
#include "lower/privates.h"
#include "lower/space.h"

namespace bobbin::translate {
namespace {

class SimdMaker {
 public:
  SimdMaker(Translation& translation, const Construct& construct, const Context& context)
      : translation_(translation),
        construct_(construct),
        context_(context),
        space_(translation, construct, context),
        privates_(translation, construct, context) {
    refuse_conditional(construct.directive);
    for (const CanonicalLoop& loop : space_.iterations().loops()) {
      privates_.add_loop_variable(loop.variable(), space_.iterations().attribute());
      loop_variables_.insert(&loop.variable());
    }
    for (const Reference* one : translation.references_in(construct.site->statement)) {
      named_.insert(one->variable);
    }
    for (const Variable* one : translation.variables_of(construct.directive, ClauseKind::Linear)) {
      linear_.insert(one);
    }
    privates_.context().chunk = nullptr;
  }

  std::string lower() {
    const std::string first = space_.number("0");
    const std::string last = space_.number(space_.count());
    const Context& inside = privates_.context();
    space_.iterations().vectorize(translation_.marker(construct_.directive) + pragma());
    return "{\n" + privates_.originals() + space_.constants() + "{\n" + privates_.declarations() +
           space_.iterations().execute(first, last, space_.iterations().body(inside), inside) +
           assign_last() + privates_.combine_alone() + "}\n}";
  }

 private:
  // A loop without iterations leaves its variables with their first values, too.
  std::string assign_last() const {
    std::string loops;
    std::string others;
    for (const Variable* one : privates_.lastprivates()) {
      const bool is_loops = !space_.is_taken() && loop_variables_.contains(one);
      if (is_loops) loops += space_.iterations().finish(*one);
      (is_loops ? loops : others) += privates_.assign_last(*one);
    }
    if (!others.empty()) others = "if (" + space_.count() + " != 0) {\n" + others + "}\n";
    return loops + others;
  }

  // Without it the loop is as correct. Compilers cannot vectorize reductions of all kinds.
  std::string pragma() {
    if (has_inscan(construct_.directive)) {
      translation_.refuse(construct_.directive, "'inscan' in 'simd' is not supported");
    }
    std::string text = "#pragma omp simd";
    for (const Clause& clause : construct_.directive.clauses) {
      if (clause.kind() == ClauseKind::Reduction && !is_plain(clause)) return "";
      text += clause_text(clause);
    }
    return text + "\n";
  }

  // Scalars, and no operator that the program has declared.
  bool is_plain(const Clause& clause) const {
    const bool is_declared = std::any_of(
        translation_.reductions.begin(), translation_.reductions.end(),
        [&](const DeclaredReduction& one) { return one.name == clause.modifiers.back(); });
    return !is_declared && clause.modifiers.size() == 1 &&
           std::all_of(clause.items.begin(), clause.items.end(), [&](const Item& item) {
             return item.sections.empty() &&
                    translation_.types.is_arithmetic(translation_.variable_of(item).type);
           });
  }

  std::string expression(const Clause& clause) {
    return translation_.expression_of(clause, context_);
  }

  // The variables that the loop uses and that have their own names.
  std::string names_of(const Clause& clause) {
    std::string text;
    for (const Item& item : clause.items) {
      const Variable* variable = translation_.variable_at(item.base);
      if (variable == nullptr || loop_variables_.contains(variable) || !named_.contains(variable) ||
          privates_.context().text_of(*variable) != variable->name) {
        continue;
      }
      // A linear variable has its last value anyway.
      if (clause.kind() == ClauseKind::Lastprivate && linear_.contains(variable)) continue;
      text += (text.empty() ? "" : ", ") + variable->name;
    }
    return text;
  }

  std::string clause_text(const Clause& clause) {
    const std::string word(clause.row->name);
    switch (clause.kind()) {
      case ClauseKind::If:
      case ClauseKind::Safelen:
      case ClauseKind::Simdlen:
        return " " + word + "(" + expression(clause) + ")";
      case ClauseKind::Order:
        return " order(concurrent)";
      case ClauseKind::Private:
      case ClauseKind::Lastprivate:
      case ClauseKind::Nontemporal:
      case ClauseKind::Aligned:
      case ClauseKind::Linear:
      case ClauseKind::Reduction: {
        const std::string names = names_of(clause);
        if (names.empty()) return "";
        const std::string before =
            clause.kind() == ClauseKind::Reduction ? clause.modifiers.back() + " : " : "";
        const std::string after = clause.expression ? " : " + expression(clause) : "";
        return " " + word + "(" + before + names + after + ")";
      }
      default:
        return "";  // collapse; what initializes the copies of linear variables
    }
  }

  Translation& translation_;
  const Construct& construct_;
  const Context& context_;
  Space space_;
  Privates privates_;
  std::set<const Variable*> loop_variables_;
  std::set<const Variable*> named_;
  std::set<const Variable*> linear_;
};

}  // namespace

std::string lower_simd(Translation& translation, const Construct& construct,
                       const Context& context) {
  return SimdMaker(translation, construct, context).lower();
}

}  // namespace bobbin::translate
