// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "directives/directive.h"
#include "lex/source.h"

namespace bobbin::translate {

// Directives in system headers declare variants and the like for a compiler's own use. They are
// left out, and with them the variants: what they are variants of stays.
class SystemHeaders {
 public:
  explicit SystemHeaders(const Source& source) : source_(source) {}

  void read(const Token& pragma, std::vector<Directive>& found);

 private:
  static const DirectiveRow kLeftOut;

  const Source& source_;
  size_t depth_ = 0;
  size_t begin_ = 0;
};

}  // namespace bobbin::translate
