// SPDX-License-Identifier: Apache-2.0
#include "lower/loops/task_iteration.h"

#include <algorithm>

namespace bobbin::translate {
namespace {

// Nothing but white space and line markers.
bool is_blank(const Translation& translation, size_t begin, size_t end) {
  const std::vector<Token> tokens =
      tokenize(translation.probe.text(), begin, end, HashLines::Recognize);
  return std::all_of(tokens.begin(), tokens.end(),
                     [](const Token& one) { return one.kind == TokenKind::HashLine; });
}

bool is_taskloop(const Directive& directive) {
  const std::vector<Leaf>& leaves = directive.row->leaves;
  return std::find(leaves.begin(), leaves.end(), Leaf::Taskloop) != leaves.end();
}

}  // namespace

std::vector<const Directive*> task_iterations_of(const Translation& translation,
                                                 const Construct& taskloop) {
  std::vector<const Directive*> found;
  const std::vector<Loop>& loops = taskloop.site->loops;
  const size_t depth = taskloop.directive.collapse;
  if (loops.size() < depth) return found;
  const Extent body = loops[depth - 1].body;
  if (translation.probe.text()[body.begin] != '{') return found;
  size_t at = body.begin + 1;
  for (const size_t number : translation.directives_in(body)) {
    const Directive& one = translation.directives[number];
    if (one.row->leaves.front() != Leaf::TaskIteration) break;
    if (!is_blank(translation, at, one.probe_begin)) break;
    found.push_back(&one);
    at = one.probe_end;
  }
  return found;
}

void check_task_iteration(const Translation& translation, const Directive& directive) {
  for (size_t i = translation.directives.size(); i-- > 0;) {
    const Directive& outer = translation.directives[i];
    const Site* site = translation.site_of(i);
    if (outer.probe_begin >= directive.probe_begin || site == nullptr ||
        directive.probe_begin >= site->statement.end || !is_taskloop(outer)) {
      continue;
    }
    const std::vector<const Directive*> found = task_iterations_of(translation, {outer, site});
    if (std::find(found.begin(), found.end(), &directive) != found.end()) return;
    break;
  }
  translation.refuse(directive,
                     "'task_iteration' stands at the beginning of a block that is the body of a "
                     "taskloop's innermost loop");
}

}  // namespace bobbin::translate
