// SPDX-License-Identifier: Apache-2.0
#include "lower/data/space.h"

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

std::string Space::own_number() {
  const std::string number = iterations().number();
  return own_ ? number : "(" + number + " - " + chunk_->first + ")";
}

std::string Space::execute_body(const Context& context, const std::string& first,
                                const std::string& last, const LinearVariables& linears) {
  Context inside = context;
  inside.chunk = nullptr;
  std::string body = iterations().body(inside);
  if (!linears.empty()) {
    const std::string number = linears.needs_number() ? own_number() : "";
    body = "{\n" + linears.assign(number) + body + "}\n";
  }
  return iterations().execute(number(first), number(last), body, inside, linears.step());
}

std::string Space::execute(const Construct& construct, const Context& context,
                           const std::string& first, const std::string& last,
                           const LinearVariables& linears) {
  std::string text;
  if (construct.is_last()) {
    text = execute_body(context, first, last, linears);
  } else {
    const Chunk chunk{&iterations(), number(first), number(last)};
    Context inside = context;
    inside.chunk = &chunk;
    text = linears.assign(first) + translation_.body(construct, inside);
  }
  return linears.empty() ? text : "{\n" + linears.start(first) + text + "}\n";
}

}  // namespace bobbin::translate
