// SPDX-License-Identifier: Apache-2.0
#include "directives/depth.h"

#include <string>

namespace bobbin::translate {
namespace {

constexpr size_t kDeepest = 256;

}  // namespace

void check_depth(const Source& source, const std::vector<Directive>& directives,
                 Diagnostics& diagnostics) {
  size_t depth = 0;
  size_t end = 0;
  for (const Directive& one : directives) {
    depth = is_blank(source.text(), end, one.begin) ? depth + 1 : 1;
    end = one.end;
    if (one.row->association != Association::Statement) depth = 0;
    if (depth > kDeepest) {
      diagnostics.error(one.begin, "more than " + std::to_string(kDeepest) +
                                       " directives belong to one statement");
      return;
    }
  }
}

}  // namespace bobbin::translate
