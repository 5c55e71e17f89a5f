// SPDX-License-Identifier: Apache-2.0
#include "choose/statements.h"

#include <algorithm>

namespace bobbin::translate {
namespace {

// Of statements in statements. Clang takes 256 brackets.
constexpr size_t kDeepest = 1000;

bool opens(std::string_view text) { return text == "(" || text == "[" || text == "{"; }
bool closes(std::string_view text) { return text == ")" || text == "]" || text == "}"; }

}  // namespace

size_t Statements::end_of_brackets(size_t token) const {
  if (!opens(at(token))) return token;
  size_t depth = 0;
  for (; token < tokens_.size(); ++token) {
    if (opens(at(token))) ++depth;
    if (closes(at(token)) && --depth == 0) return token + 1;
  }
  return token;
}

size_t Statements::behind_hash_lines(size_t token) const {
  while (is_hash_line(token)) ++token;
  return token;
}

size_t Statements::behind_labels(size_t token) const {
  while (token < tokens_.size()) {
    const std::string_view word = at(token);
    if (is_hash_line(token)) {
      ++token;
    } else if (word == "case" || word == "default") {
      while (token < tokens_.size() && at(token) != ":") ++token;
      ++token;
    } else if (word == "[" && at(token + 1) == "[") {
      token = end_of_brackets(token);
    } else if (tokens_[token].kind == TokenKind::Identifier && at(token + 1) == ":") {
      token += 2;
    } else {
      break;
    }
  }
  return token;
}

size_t Statements::end_of_choice(size_t token, size_t depth) const {
  const size_t end = end_of(end_of_brackets(token + 1), depth);
  const size_t next = behind_hash_lines(end);
  return at(next) == "else" ? end_of(next + 1, depth) : end;
}

size_t Statements::end_of(size_t token, size_t depth) const {
  token = behind_labels(token);
  if (token >= tokens_.size() || ++depth > kDeepest) return tokens_.size();
  const std::string_view word = at(token);
  if (word == "{") return end_of_brackets(token);
  if (word == "for" || word == "while" || word == "switch") {
    return end_of(end_of_brackets(token + 1), depth);
  }
  if (word == "if") return end_of_choice(token, depth);
  if (word == "do") {
    token = behind_hash_lines(end_of(token + 1, depth)) + 1;  // while
  }
  while (token < tokens_.size() && at(token) != ";") {
    if (closes(at(token))) return token;  // no statement
    token = opens(at(token)) ? end_of_brackets(token) : token + 1;
  }
  return std::min(token + 1, tokens_.size());
}

}  // namespace bobbin::translate
