// SPDX-License-Identifier: Apache-2.0
#include "lex/token.h"

#include <array>

namespace bobbin::translate {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_identifier_part(char c) { return is_identifier_start(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r'; }

// Longest first.
constexpr std::array<std::string_view, 22> kLongPunctuators = {
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
    "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="};

// What may follow the first character of one of these.
bool is_second_of_punctuator(char c) {
  return std::string_view("=<>.+-&|").find(c) != std::string_view::npos;
}

}  // namespace

// False: the end is reached.
bool Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    if (peek() == '\n') {
      at_line_start_ = true;
      ++at_;
    } else if (is_space(peek())) {
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

size_t Lexer::end_of_line() const {
  size_t end = at_;
  while (end < text_.size() && (text_[end] != '\n' || text_[end - 1] == '\\')) ++end;
  return end;
}

Token Lexer::take(TokenKind kind, size_t end) {
  const Token token{kind, at_, end};
  at_ = end;
  at_line_start_ = false;
  return token;
}

std::optional<Token> Lexer::next() {
  if (!skip_blanks()) return std::nullopt;
  const char c = peek();
  if (c == '#' && at_line_start_ && hash_lines_ == HashLines::Recognize) {
    return take(TokenKind::HashLine, end_of_line());
  }
  if (is_identifier_start(c)) return take_word();
  if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
    return take(TokenKind::Number, end_of_number());
  }
  if (c == '"' || c == '\'') return take(TokenKind::String, end_of_string(at_));
  return take(TokenKind::Punctuator, end_of_punctuator());
}

Token Lexer::take_word() {
  size_t end = at_;
  while (end < text_.size() && is_identifier_part(text_[end])) ++end;
  const bool is_prefix = end < text_.size() && (text_[end] == '"' || text_[end] == '\'') &&
                         end - at_ <= 2 &&
                         std::string_view("LuU").find(peek()) != std::string_view::npos;
  return is_prefix ? take(TokenKind::String, end_of_string(end)) : take(TokenKind::Identifier, end);
}

size_t Lexer::end_of_number() const {
  size_t end = at_;
  while (end < text_.size()) {
    const char c = text_[end];
    const bool is_sign = (c == '+' || c == '-') && end > at_ &&
                         std::string_view("eEpP").find(text_[end - 1]) != std::string_view::npos;
    if (!is_identifier_part(c) && c != '.' && !is_sign) break;
    ++end;
  }
  return end;
}

// An unfinished string ends with its line.
size_t Lexer::end_of_string(size_t quote) const {
  size_t end = quote + 1;
  while (end < text_.size() && text_[end] != text_[quote] && text_[end] != '\n') {
    end += text_[end] == '\\' ? 2 : 1;
  }
  return end < text_.size() ? end + 1 : text_.size();
}

size_t Lexer::end_of_punctuator() const {
  if (!is_second_of_punctuator(peek(1))) return at_ + 1;
  for (const std::string_view one : kLongPunctuators) {
    if (text_.substr(at_).starts_with(one)) return at_ + one.size();
  }
  return at_ + 1;
}

bool is_identifier_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::vector<Token> tokenize(std::string_view text, size_t begin, size_t end, HashLines hash_lines) {
  Lexer lexer(text, begin, end, hash_lines);
  std::vector<Token> tokens;
  while (const std::optional<Token> token = lexer.next()) tokens.push_back(*token);
  return tokens;
}

bool is_blank(std::string_view text, size_t begin, size_t end) {
  Lexer lexer(text, begin, end, HashLines::Recognize);
  while (const std::optional<Token> token = lexer.next()) {
    if (token->kind != TokenKind::HashLine) return false;
  }
  return true;
}

}  // namespace bobbin::translate
