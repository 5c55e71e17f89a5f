// SPDX-License-Identifier: Apache-2.0
#include "lower/constructs/devices.h"

#include <algorithm>
#include <set>

namespace bobbin::translate {
namespace {

std::string device_of(Translation& translation, const Clause& clause, const Context& context) {
  const std::string device = translation.expression_of(clause, context);
  const std::string modifier = clause.modifiers.empty() ? "device_num" : clause.modifiers.front();
  if (modifier == "device_num") return "(" + device + ")";
  if (modifier != "ancestor") {
    throw Refusal{clause.at, "unknown modifier '" + modifier + "' of 'device'"};
  }
  const bool is_required = std::any_of(
      translation.directives.begin(), translation.directives.end(), [](const Directive& one) {
        return std::any_of(one.clauses.begin(), one.clauses.end(), [](const Clause& required) {
          return required.row->name == "reverse_offload";
        });
      });
  if (!is_required) {
    throw Refusal{clause.at, "'ancestor' needs '#pragma omp requires reverse_offload'"};
  }
  // The host is the parent of each region, and so of one that runs on the host, too.
  if (device != "1") throw Refusal{clause.at, "expected 1 after 'ancestor:'"};
  return "bobbin_omp_initial_device";
}

// A list or a region of declare target names it.
bool is_listed_for_devices(const Translation& translation, const Variable& variable) {
  size_t depth = 0;
  for (const Directive& directive : translation.directives) {
    const Leaf leaf = directive.row->leaves.front();
    if (leaf == Leaf::DeclareTarget) {
      for (const Item& item : directive.items) {
        if (translation.variable_at(item.base) == &variable) return true;
      }
    }
    if (directive.probe_begin > variable.declared) continue;
    // `declare target` with a list or clauses stands alone.
    const bool begins = leaf == Leaf::DeclareTarget && directive.items.empty();
    if (begins) ++depth;
    if (leaf == Leaf::EndDeclareTarget && depth > 0) --depth;
  }
  return depth > 0;
}

// seen: those that have been looked at, because initializers can name each other.
bool is_declared(const Translation& translation, const Variable& variable,
                 std::set<const Variable*>& seen) {
  if (!seen.insert(&variable).second) return false;
  if (is_listed_for_devices(translation, variable)) return true;
  const std::deque<Variable>& all = translation.program.variables;
  return std::any_of(all.begin(), all.end(), [&](const Variable& other) {
    const std::vector<const Reference*> named = translation.references_in(other.initializer);
    return std::any_of(named.begin(), named.end(),
                       [&](const Reference* one) { return one->variable == &variable; }) &&
           is_declared(translation, other, seen);
  });
}

}  // namespace

// What the initializer of such a variable names is one, too.
bool is_declared_for_devices(const Translation& translation, const Variable& variable) {
  std::set<const Variable*> seen;
  return is_declared(translation, variable, seen);
}

std::string device_of(Translation& translation, const Directive& directive,
                      const Context& context) {
  std::string device = "bobbin_omp_device_by_default";
  if (const Clause* clause = directive.find(ClauseKind::Device)) {
    device = device_of(translation, *clause, context);
  }
  if (const Clause* clause = directive.find(ClauseKind::If)) {
    device = "(" + translation.expression_of(*clause, context) + ") ? " + device +
             " : bobbin_omp_host_by_if";
  }
  return device;
}

}  // namespace bobbin::translate
