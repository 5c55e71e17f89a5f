// SPDX-License-Identifier: Apache-2.0
#include "lower/translation/place.h"

#include <algorithm>

namespace bobbin::translate {
namespace {

constexpr std::string_view kBlank = " \t\n";

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

// What stands before the last character is no operand, so the character is a unary operator.
bool is_unary(std::string_view text) {
  text.remove_suffix(1);
  const size_t before = text.find_last_not_of(kBlank);
  return before != std::string_view::npos &&
         std::string_view("(,={?:|!").find(text[before]) != std::string_view::npos;
}

}  // namespace

// Brackets stand where an operator follows that binds more closely than the star, where another
// star would stand before it, and where the two would begin a comment.
void Place::append_to(std::string& text, std::string_view rest) const {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlank), rest.size()));
  const size_t last = text.find_last_not_of(kBlank);
  const char before = last == std::string::npos ? ' ' : text[last];
  if (!is_behind_ || before == '*' || before == '/' ||
      begins_with_any(rest, {"[", "(", ".", "->", "++", "--", "#"})) {
    text += this->text();
  } else if (text.ends_with('&') && is_unary(text)) {
    text.pop_back();
    text += name_;
  } else {
    text += "*" + name_;
  }
}

}  // namespace bobbin::translate
