// SPDX-License-Identifier: Apache-2.0
// The words of preprocessed C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bobbin::translate {

enum class TokenKind : uint8_t {
  Identifier,  // keywords, too
  Number,
  String,  // with its prefix; also character constants
  Punctuator,
  HashLine,  // a whole line that begins with #, without the line's end
};

struct Token {
  TokenKind kind;
  size_t begin;
  size_t end;

  std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

// `Recognize`: the text consists of whole lines.
enum class HashLines : uint8_t { Recognize, Ignore };

// Reads the tokens of preprocessed C between two offsets. What is no C becomes punctuators of one
// character.
class Lexer {
 public:
  Lexer(std::string_view text, size_t begin, size_t end, HashLines hash_lines)
      : text_(text.substr(0, end)), at_(begin), hash_lines_(hash_lines) {}

  // Nothing: the end is reached.
  std::optional<Token> next();

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool skip_blanks();
  size_t end_of_line() const;
  Token take(TokenKind kind, size_t end);
  Token take_word();
  size_t end_of_number() const;
  size_t end_of_string(size_t quote) const;
  size_t end_of_punctuator() const;

  std::string_view text_;
  size_t at_;
  HashLines hash_lines_;
  bool at_line_start_ = true;
};

// All of them.
std::vector<Token> tokenize(std::string_view text, size_t begin, size_t end, HashLines hash_lines);

// Is there nothing but lines that begin with #?
bool is_blank(std::string_view text, size_t begin, size_t end);

bool is_identifier_start(char c);

}  // namespace bobbin::translate
