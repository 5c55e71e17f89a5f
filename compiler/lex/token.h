// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
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

// The tokens of preprocessed C between two offsets. What is no C becomes punctuators of one
// character. `hash_lines`: the text consists of whole lines.
enum class HashLines : uint8_t { Recognize, Ignore };
std::vector<Token> tokenize(std::string_view text, size_t begin, size_t end, HashLines hash_lines);

bool is_identifier_start(char c);

}  // namespace bobbin::translate
