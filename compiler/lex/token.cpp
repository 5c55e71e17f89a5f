// SPDX-License-Identifier: Apache-2.0
#include "lex/token.h"

#include <array>

namespace bobbin::translate {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_identifier_part(char c) { return is_identifier_start(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r'; }

// Longest first.
constexpr std::array<std::string_view, 22> kLongPunctuators = {
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
    "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="};

class Lexer {
 public:
  Lexer(std::string_view text, size_t begin, size_t end, HashLines hash_lines)
      : text_(text.substr(0, end)), at_(begin), hash_lines_(hash_lines) {}

  std::vector<Token> run() {
    while (skip_blanks()) take();
    return std::move(tokens_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // False: the end is reached.
  bool skip_blanks() {
    while (at_ < text_.size()) {
      if (peek() == '\n') {
        at_line_start_ = true;
        ++at_;
      } else if (is_blank(peek())) {
        ++at_;
      } else if (peek() == '\\' && peek(1) == '\n') {
        at_ += 2;
      } else if (peek() == '/' && peek(1) == '*') {
        const size_t close = text_.find("*/", at_ + 2);
        at_ = close == std::string_view::npos ? text_.size() : close + 2;
      } else if (peek() == '/' && peek(1) == '/') {
        at_ = end_of_line();
      } else {
        return true;
      }
    }
    return false;
  }

  size_t end_of_line() const {
    size_t end = at_;
    while (end < text_.size() && (text_[end] != '\n' || text_[end - 1] == '\\')) ++end;
    return end;
  }

  void add(TokenKind kind, size_t end) {
    tokens_.push_back({kind, at_, end});
    at_ = end;
    at_line_start_ = false;
  }

  void take() {
    const char c = peek();
    if (c == '#' && at_line_start_ && hash_lines_ == HashLines::Recognize) {
      add(TokenKind::HashLine, end_of_line());
    } else if (is_identifier_start(c)) {
      take_word();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      take_number();
    } else if (c == '"' || c == '\'') {
      add(TokenKind::String, end_of_string(at_));
    } else {
      take_punctuator();
    }
  }

  void take_word() {
    size_t end = at_;
    while (end < text_.size() && is_identifier_part(text_[end])) ++end;
    const bool is_prefix = end < text_.size() && (text_[end] == '"' || text_[end] == '\'') &&
                           end - at_ <= 2 &&
                           std::string_view("LuU").find(peek()) != std::string_view::npos;
    if (is_prefix) {
      add(TokenKind::String, end_of_string(end));
    } else {
      add(TokenKind::Identifier, end);
    }
  }

  void take_number() {
    size_t end = at_;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool is_sign = (c == '+' || c == '-') && end > at_ &&
                           std::string_view("eEpP").find(text_[end - 1]) != std::string_view::npos;
      if (!is_identifier_part(c) && c != '.' && !is_sign) break;
      ++end;
    }
    add(TokenKind::Number, end);
  }

  // An unfinished string ends with its line.
  size_t end_of_string(size_t quote) const {
    size_t end = quote + 1;
    while (end < text_.size() && text_[end] != text_[quote] && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    return end < text_.size() ? end + 1 : text_.size();
  }

  void take_punctuator() {
    for (const std::string_view one : kLongPunctuators) {
      if (text_.substr(at_).starts_with(one)) {
        add(TokenKind::Punctuator, at_ + one.size());
        return;
      }
    }
    add(TokenKind::Punctuator, at_ + 1);
  }

  std::string_view text_;
  size_t at_;
  HashLines hash_lines_;
  bool at_line_start_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

bool is_identifier_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::vector<Token> tokenize(std::string_view text, size_t begin, size_t end, HashLines hash_lines) {
  return Lexer(text, begin, end, hash_lines).run();
}

}  // namespace bobbin::translate
