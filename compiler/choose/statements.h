// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "lex/token.h"

namespace bobbin::translate {

// Where statements end, by their words alone.
class Statements {
 public:
  Statements(std::string_view text, const std::vector<Token>& tokens)
      : text_(text), tokens_(tokens) {}

  // Behind the statement that begins at the token, which may be a pragma or a line marker before
  // it.
  size_t end_of(size_t token) const { return end_of(token, 0); }
  // Behind the bracket that closes the one there.
  size_t end_of_brackets(size_t token) const;

 private:
  std::string_view at(size_t token) const {
    return token < tokens_.size() ? tokens_[token].in(text_) : std::string_view();
  }
  bool is_hash_line(size_t token) const {
    return token < tokens_.size() && tokens_[token].kind == TokenKind::HashLine;
  }
  size_t behind_hash_lines(size_t token) const;
  // Nothing to skip: returns the token itself.
  size_t behind_labels(size_t token) const;
  size_t end_of(size_t token, size_t depth) const;
  size_t end_of_choice(size_t token, size_t depth) const;

  std::string_view text_;
  const std::vector<Token>& tokens_;
};

}  // namespace bobbin::translate
