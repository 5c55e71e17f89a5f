// SPDX-License-Identifier: Apache-2.0
#include "lower/space.h"

namespace bobbin::translate {

Space::Space(Translation& translation, const Construct& construct, const Context& context)
    : translation_(translation), chunk_(context.chunk) {
  if (chunk_ == nullptr) own_.emplace(translation, construct, context);
}

std::string Space::count() const {
  return own_ ? own_->count() : "(" + chunk_->last + " - " + chunk_->first + ")";
}

std::string Space::number(const std::string& own) const {
  if (own_) return own;
  if (own == count()) return chunk_->last;
  return own == "0" ? chunk_->first : "(" + chunk_->first + " + " + own + ")";
}

std::string Space::execute(const Construct& construct, const Context& context,
                           const std::string& first, const std::string& last) {
  const std::string from = number(first);
  const std::string to = number(last);
  Context inside = context;
  if (construct.is_last()) {
    inside.chunk = nullptr;
    return iterations().execute(from, to, iterations().body(inside), inside);
  }
  const Chunk chunk{&iterations(), from, to};
  inside.chunk = &chunk;
  return translation_.body(construct, inside);
}

}  // namespace bobbin::translate
