// SPDX-License-Identifier: Apache-2.0
// interop. Without a foreign runtime each object is omp_interop_none, which is 0. What remains are
// the order that depend demands, and the check of the device.
#include <algorithm>

#include "lower/constructs/devices.h"
#include "lower/tasks/dependences.h"
#include "lower/tasks/nowait.h"
#include "lower/translation/constructs.h"

namespace bobbin::translate {
namespace {

bool is_action(const Clause& clause) {
  return clause.kind() == ClauseKind::Init || clause.kind() == ClauseKind::Use ||
         clause.kind() == ClauseKind::Destroy;
}

void check_init(const Clause& clause, bool has_dependences) {
  const auto has = [&](const char* type) {
    return std::find(clause.modifiers.begin(), clause.modifiers.end(), type) !=
           clause.modifiers.end();
  };
  for (const std::string& one : clause.modifiers) {
    if (one == "target" || one == "targetsync" || one.starts_with("prefer_type")) continue;
    throw Refusal{clause.at, "expected 'target', 'targetsync' or 'prefer_type' in 'init'"};
  }
  if (!has("target") && !has("targetsync")) {
    throw Refusal{clause.at, "'init' needs 'target' or 'targetsync'"};
  }
  if (has_dependences && !has("targetsync")) {
    throw Refusal{clause.at, "'init' needs 'targetsync', because there is a 'depend'"};
  }
}

}  // namespace

std::string lower_interop(Translation& translation, const Construct& construct,
                          const Context& context) {
  const Directive& directive = construct.directive;
  std::string text;
  for (const Clause& clause : directive.clauses) {
    if (!is_action(clause)) continue;
    if (clause.kind() == ClauseKind::Init) check_init(clause, directive.has(ClauseKind::Depend));
    if (clause.items.size() != 1) throw Refusal{clause.at, "expected one object"};
    const std::string object = translation.render_span(clause.items.front().base, context);
    text += clause.kind() == ClauseKind::Use ? "(void)" + object + ";\n" : object + " = 0;\n";
  }
  if (text.empty()) translation.refuse(directive, "expected 'init', 'use' or 'destroy'");
  return "{\n" +
         wait_for_dependences(translation, directive, context,
                              nowait_of(translation, directive, context)) +
         translation.marker(directive) + "bobbin_omp_target_data(" +
         device_of(translation, directive, context) + ");\n" + text + "}";
}

}  // namespace bobbin::translate
