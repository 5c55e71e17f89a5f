// SPDX-License-Identifier: Apache-2.0
#include "lower/data/conditional.h"

#include <algorithm>

namespace bobbin::translate {

ConditionalVariables::ConditionalVariables(const Translation& translation,
                                           const Construct& construct, const Context& outer)
    : translation_(translation), cancelled_(outer.parallel) {
  const Extent statement = construct.site->statement;
  const std::vector<const Reference*> references = translation.references_in(statement);
  for (const Clause& clause : construct.directive.clauses) {
    if (!is_conditional(clause)) continue;
    if (clause.modifiers.front() != "conditional") {
      throw Refusal{clause.at, "unknown modifier '" + clause.modifiers.front() + "'"};
    }
    for (const Item& item : clause.items) {
      const Variable& variable = translation.variable_of(item);
      if (!translation.types.is_scalar(variable.type)) {
        throw Refusal{item.base.begin,
                      "'" + variable.name + "' in 'lastprivate(conditional:)' is no scalar"};
      }
      // What is never assigned keeps its value.
      const bool is_assigned = std::any_of(
          references.begin(), references.end(),
          [&](const Reference* one) { return one->variable == &variable && one->is_assigned; });
      if (is_assigned) variables_.push_back(&variable);
    }
  }
}

std::string ConditionalVariables::noted(const Variable& variable) const {
  return translation_.names.free(variable.name + "_assigned");
}

void ConditionalVariables::note_assignments(Context& context, const std::string& number) const {
  for (const Variable* one : variables_) {
    context.assigned.insert_or_assign(one,
                                      Context::Noted{Place::named(noted(*one)), number + " + 1"});
  }
}

std::string ConditionalVariables::declarations() const {
  std::string text;
  for (const Variable* one : variables_) {
    text += "unsigned long long " + noted(*one) + " = 0;\n";
  }
  return text;
}

// Of the threads, the one that has assigned the variable in the latest iteration.
std::string ConditionalVariables::assign_if_latest(size_t i, const std::string& own,
                                                   const std::string& all,
                                                   const std::string& threads) const {
  const Names& names = translation_.names;
  const std::string& name = variables_[i]->name;
  const std::string latest = names.free("latest");
  const std::string other = names.free("other");
  const std::string at = "[" + std::to_string(i) + "]";
  return "{\nint " + latest + " = " + own + at + " != 0;\nfor (unsigned " + other + " = 0; " +
         other + " < " + threads + "; ++" + other + ")\n  if (((const unsigned long long *)" + all +
         "[" + other + "])" + at + " > " + own + at + ") " + latest + " = 0;\nif (" + latest +
         ") *" + names.free(name + "_original") + " = " + name + ";\n}\n";
}

std::string ConditionalVariables::assign_last() const {
  if (empty()) return "";
  const Names& names = translation_.names;
  const std::string own = names.free("assigned");
  const std::string all = names.free("assigned_by");
  const std::string thread = names.free("thread");
  const std::string threads = names.free("threads");
  std::string list;
  std::string text;
  for (size_t i = 0; i < variables_.size(); ++i) {
    list += (list.empty() ? "" : ", ") + noted(*variables_[i]);
    text += assign_if_latest(i, own, all, threads);
  }
  // The threads of a cancelled region do not wait for each other.
  const std::string begin = cancelled_ == nullptr ? "bobbin_omp_exchange_begin("
                                                  : "bobbin_omp_cancellable_exchange_begin(";
  const std::string leave =
      cancelled_ == nullptr ? "" : "if (" + all + " == 0) " + cancelled_->jump() + "\n";
  return "{\nunsigned long long " + own + "[] = {" + list + "};\nunsigned " + thread + ", " +
         threads + ";\nvoid *const *const " + all + " = " + begin + own + ", &" + thread + ", &" +
         threads + ");\n" + leave + text + "bobbin_omp_exchange_end();\n}\n";
}

}  // namespace bobbin::translate
