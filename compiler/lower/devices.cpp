// SPDX-License-Identifier: Apache-2.0
#include "lower/devices.h"

#include <algorithm>

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

}  // namespace

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
