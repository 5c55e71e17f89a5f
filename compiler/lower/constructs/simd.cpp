// SPDX-License-Identifier: Apache-2.0
// simd and its parts of composite directives. The loop is written in its canonical form again, and
// the native compiler, which knows its processor, vectorizes it. It needs -fopenmp-simd.
#include <algorithm>

#include "lower/data/conditional.h"
#include "lower/data/linear.h"
#include "lower/data/privates.h"
#include "lower/data/scan.h"
#include "lower/data/space.h"
#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

class SimdMaker {
 public:
  SimdMaker(Translation& translation, const Construct& construct, const Context& context)
      : translation_(translation),
        construct_(construct),
        context_(context),
        space_(translation, construct, context),
        privates_(translation, construct, context),
        linears_(translation, construct.directive, context, space_.iterations(),
                 LinearVariables::Of::Induction) {
    for (const CanonicalLoop& loop : space_.iterations().loops()) {
      privates_.add_loop_variable(space_.iterations(), loop);
      loop_variables_.insert(&loop.variable());
    }
    for (const Reference* one : translation.references_in(construct.site->statement)) {
      named_.insert(one->variable);
    }
    for (const Variable* one : translation.variables_of(construct.directive, ClauseKind::Linear)) {
      linear_.insert(one);
    }
    privates_.context().chunk = nullptr;
    linears_.declare_in(privates_.context());
  }

  std::string lower() {
    const std::string directive = pragma();
    if (!directive.empty()) {
      space_.iterations().vectorize(translation_.marker(construct_.directive) + directive);
    }
    return "{\n" + privates_.originals() + linears_.originals() + space_.constants() +
           privates_.declarations() + linears_.declarations() + loop() + assign_last() +
           linears_.assign_last(space_.count()) + privates_.combine_alone() + "}";
  }

 private:
  std::string loop() {
    if (!has_inscan(construct_.directive)) {
      return space_.execute(construct_, privates_.context(), "0", space_.count(), linears_);
    }
    if (space_.is_taken()) {
      translation_.refuse(construct_.directive, "'inscan' of a part of another construct's loop");
    }
    return lower_serial_scan(translation_, construct_, space_.iterations(), privates_.context(),
                             linears_, "0", space_.count());
  }

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

  // Without it the loop is as correct. Compilers cannot vectorize reductions of all kinds, nor what
  // each iteration takes from the one before.
  std::string pragma() {
    if (has_inscan(construct_.directive) || !linears_.empty() || has_conditional()) return "";
    std::string text = "#pragma omp simd";
    for (const Clause& clause : construct_.directive.clauses) {
      if (clause.kind() == ClauseKind::Reduction && !is_plain(clause)) return "";
      text += clause_text(clause);
    }
    return text + "\n";
  }

  // Such a variable is not private here, because the iterations are executed in order. So it has
  // the last value that was assigned.
  bool has_conditional() const {
    return std::any_of(construct_.whole.clauses.begin(), construct_.whole.clauses.end(),
                       is_conditional);
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
  LinearVariables linears_;
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
