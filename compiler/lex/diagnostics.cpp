// SPDX-License-Identifier: Apache-2.0
#include "lex/diagnostics.h"

#include <algorithm>
#include <utility>

namespace bobbin::translate {

void Diagnostics::error(size_t offset, std::string message) { error({offset, std::move(message)}); }

void Diagnostics::error(Refusal refusal) { errors_.push_back(std::move(refusal)); }

void Diagnostics::note(Refusal note) {
  if (!errors_.empty()) errors_.back().notes.push_back(std::move(note));
}

std::vector<Refusal> Diagnostics::sorted() const {
  std::vector<Refusal> errors = errors_;
  std::stable_sort(errors.begin(), errors.end(),
                   [](const Refusal& a, const Refusal& b) { return a.offset < b.offset; });
  return errors;
}

}  // namespace bobbin::translate
