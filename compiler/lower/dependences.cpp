// SPDX-License-Identifier: Apache-2.0
#include "lower/dependences.h"

namespace bobbin::translate {
namespace {

std::string kind_of_dependence(const Clause& clause) {
  const std::string kind = clause.modifiers.empty() ? "" : clause.modifiers.back();
  if (clause.modifiers.size() > 1) {
    throw Refusal{clause.at, "iterators in 'depend' are not supported by bobbin translate"};
  }
  if (kind == "in") return "bobbin_omp_in";
  if (kind == "out" || kind == "inout") return "bobbin_omp_out";
  if (kind == "mutexinoutset" || kind == "inoutset") return "bobbin_omp_" + kind;
  throw Refusal{clause.at, "'depend(" + kind + "...)' is not supported by bobbin translate"};
}

}  // namespace

Dependences dependences_of(Translation& translation, const Directive& directive,
                           const Context& context, const std::string& name) {
  std::string elements;
  size_t number = 0;
  for (const Clause& clause : directive.clauses) {
    if (clause.kind() != ClauseKind::Depend) continue;
    const std::string kind = kind_of_dependence(clause);
    for (const Item& item : clause.items) {
      std::string address;
      if (item.base.probe_begin == item.base.probe_end) {
        address = "(void *)0";  // omp_all_memory
      } else {
        address = "&(" + translation.render_span(item.base, context) + ")";
        for (const Item::Section& section : item.sections) {
          address +=
              "[" + (section.lower ? translation.render_span(*section.lower, context) : "0") + "]";
        }
      }
      elements += number++ == 0 ? "{" : ", {";
      elements += address;
      elements += ", " + kind + "}";
    }
  }
  if (number == 0) return {};
  return {"  const struct bobbin_omp_dependence " + name + "[] = {" + elements + "};\n",
          std::to_string(number)};
}

}  // namespace bobbin::translate
